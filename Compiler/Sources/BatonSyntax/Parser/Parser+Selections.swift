import BatonDiagnostics

/// A selection set whose closing brace is not reached yet.
private struct OpenSet {
    /// The selection with the set; nil for the outermost set.
    let owner: Selection?
    let opening: Span
    var selections: [Selection] = []
}

extension Parser {
    ///     SelectionSet : { Selection+ }
    ///
    /// The open sets are in an array, so that deep nesting costs no stack. They grow in place there, so that long sets
    /// are not copied.
    mutating func selectionSet() throws(Failure) -> SelectionSet {
        let level = nesting
        var open = [try openSet(of: nil)]
        while true {
            let last = open.endIndex - 1
            if token.kind == .rightBrace || token.kind == .endOfFile {
                let inner = open.removeLast()
                let set = close(inner)
                nesting = level + last
                guard let owner = inner.owner else { return set }
                open[last - 1].selections.append(owner.with(set))
                continue
            }
            if skipLeftoverClosing() { continue }
            let before = token.start
            do throws(Failure) {
                let (selection, hasSet) = try selection()
                if hasSet {
                    open.append(try openSet(of: selection))
                } else {
                    open[last].selections.append(selection)
                }
            } catch {
                nesting = level + open.count
                recover(from: before, to: .rightBrace, resumes: Self.resumesOnNewLine)
            }
        }
    }

    private mutating func openSet(of owner: Selection?) throws(Failure) -> OpenSet {
        guard token.kind == .leftBrace else { throw fail("expected '{'") }
        let opening = lexer.span(of: token)
        try enter()
        advance()
        if token.kind == .rightBrace { reportEmpty("selection", .rightBrace) }
        return OpenSet(owner: owner, opening: opening)
    }

    /// Takes the closing brace. At the end of the text, the missing braces of all open sets are reported once.
    private mutating func close(_ open: OpenSet) -> SelectionSet {
        if !take(.rightBrace) { reportUnclosed(.leftBrace, .rightBrace, opening: open.opening) }
        return SelectionSet(open.selections, span: span(from: open.opening.start))
    }

    ///     Selection : Field | FragmentSpread | InlineFragment
    ///
    /// Parses a selection without its selection set; returns whether a set follows.
    private mutating func selection() throws(Failure) -> (Selection, hasSet: Bool) {
        switch token.kind {
        case .name:
            let field = try field()
            return (.field(field), token.kind == .leftBrace)
        case .spread: return try fragmentSelection()
        default: throw fail("expected a field or '...'")
        }
    }

    ///     Field : Alias? Name Arguments? Directives? SelectionSet?
    ///     Alias : Name :
    private mutating func field() throws(Failure) -> Field {
        let begin = start
        let first = try name()
        let isAliased = take(.colon)
        let name = isAliased ? try self.name("a field name after the alias") : first
        let arguments = try arguments(isConstant: false)
        let directives = try directives(isConstant: false)
        return Field(
            alias: isAliased ? first : nil,
            name: name,
            arguments: arguments,
            directives: directives,
            span: span(from: begin)
        )
    }

    ///     FragmentSpread : ... FragmentName Directives?
    ///     InlineFragment : ... TypeCondition? Directives? SelectionSet
    ///     TypeCondition : on NamedType
    private mutating func fragmentSelection() throws(Failure) -> (Selection, hasSet: Bool) {
        let begin = start
        advance()
        if token.kind == .name, !isWord("on") {
            let name = try name()
            if token.kind == .leftParenthesis {
                throw fail(
                    "expected a field or '...'", suggestion: "pass arguments to a fragment as '@arguments(size: 3)'")
            }
            let directives = try directives(isConstant: false)
            let spread = FragmentSpread(name: name, directives: directives, span: span(from: begin))
            return (.fragmentSpread(spread), hasSet: false)
        }
        let typeCondition = takeWord("on") ? try name("a type name") : nil
        let directives = try directives(isConstant: false)
        guard token.kind == .leftBrace else {
            throw fail(
                typeCondition == nil && directives.isEmpty ? "expected a fragment name, 'on' or '{'" : "expected '{'"
            )
        }
        let fragment = InlineFragment(
            typeCondition: typeCondition,
            directives: directives,
            selectionSet: SelectionSet([]),
            span: span(from: begin)
        )
        return (.inlineFragment(fragment), hasSet: true)
    }
}

extension Selection {
    fileprivate consuming func with(_ set: SelectionSet) -> Selection {
        switch self {
        case .field(var field):
            field.selectionSet = set
            field.span = field.span.joined(with: set.span)
            return .field(field)
        case .inlineFragment(var fragment):
            fragment.selectionSet = set
            fragment.span = fragment.span.joined(with: set.span)
            return .inlineFragment(fragment)
        case .fragmentSpread: return self
        }
    }
}
