import BatonDiagnostics

extension Parser {
    /// Whether a line break lies between the previous token and the current one.
    var isOnNewLine: Bool {
        let range = Int(min(previousEnd, token.start))..<Int(token.start)
        return lexer.bytes[range].contains { $0 == 0x0A || $0 == 0x0D }
    }

    /// Reads members in brackets up to the closing bracket. After a mistake in a member, the parser skips to the next
    /// one.
    ///
    /// `resumes` returns whether a member seems to begin at the current token after a mistake. At `{`, `}`, a
    /// definition or the end of the text, the brackets are reported as unclosed, and the members so far are kept. If
    /// members may be bare names, a definition cannot be told from them.
    mutating func members(
        _ open: Token.Kind,
        _ close: Token.Kind,
        of role: String,
        areBareNames: Bool = false,
        resumes: (inout Parser) -> Bool,
        member: (inout Parser) throws(Failure) -> Void
    ) throws(Failure) {
        guard token.kind == open else { throw fail("expected '\(open.text ?? "")'") }
        let opening = lexer.span(of: token)
        let level = nesting
        try enter()
        advance()
        if token.kind == close { reportEmpty(role, close) }
        var hasFailed = false
        while token.kind != close {
            let isAtDefinition = (!areBareNames || hasFailed) && beginsDefinition && isOnNewLine
            if token.kind == .endOfFile || isBraceAround(close) || isAtDefinition {
                if hasFailed { excuseHere() }
                reportUnclosed(open, close, opening: opening)
                nesting = level
                return
            }
            if skipLeftoverClosing() { continue }
            let before = token.start
            do {
                try member(&self)
            } catch {
                hasFailed = true
                nesting = level + 1
                recover(from: before, to: close, resumes: resumes)
                if token.kind != close, isBraceAround(close) {
                    // The parser may have skipped further missing tokens before the brace.
                    excuseHere()
                    nesting = level
                    return
                }
            }
        }
        nesting = level
        advance()
    }

    /// Whether the token is a brace of an enclosing construct, inside brackets that close with `close`.
    private func isBraceAround(_ close: Token.Kind) -> Bool {
        token.kind == .rightBrace || token.kind == .leftBrace && close != .rightBrace
    }

    mutating func reportEmpty(_ role: String, _ close: Token.Kind) {
        let found = close.text ?? ""
        report(.emptyList, "expected at least one \(role), found '\(found)'", at: lexer.span(of: token))
    }

    mutating func reportUnclosed(_ open: Token.Kind, _ close: Token.Kind, opening: Span) {
        mayHaveSwallowed = true
        let isConsequence = token.kind == .endOfFile ? hasFailed : hasStrayBracket && close == .rightBrace
        if isConsequence { excuseHere() }
        _ = fail(
            "expected '\(close.text ?? "")'",
            notes: [Diagnostic.Note("'\(open.text ?? "")' is opened here", at: opening)]
        )
    }

    /// Takes a closing bracket that is left over from an earlier mistake, where a member is expected.
    mutating func skipLeftoverClosing() -> Bool {
        guard hasFailed, token.kind == .rightParenthesis || token.kind == .rightBracket else { return false }
        advance()
        return true
    }

    /// Skips after a mistake in a member that began at an offset. At the end of the text, unclosed brackets are no
    /// further mistake.
    mutating func recover(from begin: UInt32, to close: Token.Kind, resumes: (inout Parser) -> Bool) {
        if token.start == begin, token.kind != .endOfFile {
            // The bracket may stand in place of another one, which then seems to be missing or left over.
            if token.kind.isBracket { hasStrayBracket = true }
            skipGroup()
        }
        skip(to: close, resumes: resumes)
        if token.kind == .endOfFile { excuseHere() }
    }

    /// Skips to the closing token, to the next member, or to a brace of an enclosing construct.
    private mutating func skip(to close: Token.Kind, resumes: (inout Parser) -> Bool) {
        while token.kind != .endOfFile, token.kind != close {
            if resumes(&self) { return }
            if token.kind == .rightBrace { return }
            if token.kind == .leftBrace, close != .rightBrace, !isBehindValueSign { return }
            skipGroup()
        }
    }

    /// Whether a brace here begins a value: it follows `=` or `:`.
    private var isBehindValueSign: Bool { previousKind == .equals || previousKind == .colon }

    /// Takes one token, or a whole group if the token opens a bracket.
    mutating func skipGroup() {
        var open = 0
        repeat {
            switch token.kind {
            case .leftBrace, .leftBracket, .leftParenthesis: open += 1
            case .rightBrace, .rightBracket, .rightParenthesis:
                open -= 1
                if open < 0, token.kind == .rightBrace { hasStrayBrace = true }
            case .endOfFile: return
            default: break
            }
            advance()
        } while open > 0
    }

    /// Whether parsing can resume in a selection set or list of fields: at a name, spread or description on a new line.
    static func resumesOnNewLine(_ parser: inout Parser) -> Bool {
        switch parser.token.kind {
        case .name, .spread, .string, .blockString: parser.isOnNewLine
        default: false
        }
    }

    /// Whether parsing can resume in arguments: at `name:`.
    static func resumesAtArgument(_ parser: inout Parser) -> Bool {
        parser.token.kind == .name && parser.following.kind == .colon
    }

    /// Whether parsing can resume in the fields of a type: at `name:`, or as in a selection set.
    static func resumesAtFieldDefinition(_ parser: inout Parser) -> Bool {
        resumesOnNewLine(&parser) || resumesAtArgument(&parser)
    }

    /// Whether parsing can resume in variable definitions: at `$`.
    static func resumesAtVariable(_ parser: inout Parser) -> Bool {
        parser.token.kind == .dollar
    }

    /// Skips, after a mistake in the head of a definition, to the brace that opens its body. Returns false if another
    /// definition seems to begin before.
    mutating func skipToBody() -> Bool {
        nesting = 0
        while token.kind != .leftBrace || isBehindValueSign, !isAtDefinition { skipGroup() }
        return token.kind == .leftBrace
    }

    /// Skips, after a mistake, to a word that begins a definition outside all brackets. At least one token after
    /// `begin` is taken.
    mutating func skipToDefinition(from begin: UInt32?) {
        nesting = 0
        if token.start == begin, token.kind != .endOfFile { skipGroup() }
        while !isAtDefinition { skipGroup() }
        if token.kind == .endOfFile { excuseHere() }
    }

    /// Whether an unmatched closing brace comes before the next definition.
    var closesMoreThanIsOpen: Bool {
        var probe = self
        probe.hasStrayBrace = false
        probe.skipToDefinition(from: start)
        return probe.hasStrayBrace
    }

    /// Whether the text ends here, or a definition seems to begin here. A query without its keyword does not count.
    private var isAtDefinition: Bool {
        switch token.kind {
        case .endOfFile: true
        case .string, .blockString: isOnNewLine
        case .name: isDefinitionWord
        default: false
        }
    }

    /// Whether the token is one of `definitionWords`. The check runs for every field, so that the first letter and the
    /// length are compared first.
    private var isDefinitionWord: Bool {
        guard token.kind == .name else { return false }
        switch (lexer.bytes[Int(token.start)], token.end - token.start) {
        case (UInt8(ascii: "q"), 5), (UInt8(ascii: "m"), 8), (UInt8(ascii: "s"), 6), (UInt8(ascii: "s"), 12),
            (UInt8(ascii: "f"), 8), (UInt8(ascii: "t"), 4), (UInt8(ascii: "i"), 5), (UInt8(ascii: "i"), 9),
            (UInt8(ascii: "u"), 5), (UInt8(ascii: "e"), 4), (UInt8(ascii: "e"), 6), (UInt8(ascii: "d"), 9):
            return Self.definitionWords.contains(lexer.text(of: token))
        default: return false
        }
    }

    /// Whether the word begins the next definition and is not a name. The next token decides: in definitions of fields
    /// and arguments, no token of these kinds can follow a name.
    private var beginsDefinition: Bool {
        guard isDefinitionWord else { return false }
        switch following.kind {
        case .name, .at, .leftBrace: return true
        default: return false
        }
    }

    /// Whether the word begins the next definition, in a place where only a definition can follow names.
    var beginsDefinitionBehindNames: Bool {
        guard isDefinitionWord else { return false }
        let isOperation = isWord("query") || isWord("mutation") || isWord("subscription")
        switch following.kind {
        case .name, .at: return true
        case .leftBrace: return isOperation || isWord("schema")
        case .leftParenthesis: return isOperation
        default: return false
        }
    }

    /// Whether the token may follow a complete definition.
    var isBehindDefinition: Bool { token.kind == .leftBrace || token.kind.isString || isAtDefinition }

    static let definitionWords = [
        "query", "mutation", "subscription", "fragment", "schema", "scalar", "type", "interface", "union", "enum",
        "input", "directive", "extend",
    ]

    /// The words that may follow `extend`.
    static let extensibleWords = ["schema", "scalar", "type", "interface", "union", "enum", "input", "directive"]
}
