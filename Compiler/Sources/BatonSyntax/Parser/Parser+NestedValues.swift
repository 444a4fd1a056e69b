import BatonDiagnostics

/// A list or an object whose closing bracket is not reached yet.
private struct OpenValue {
    let opening: Span
    let closing: Token.Kind
    var values: [Value] = []
    var fields: [ObjectField] = []
    /// The name of the input field whose value is read.
    var name = Name("")

    var isObject: Bool { closing == .rightBrace }

    /// Adds a value that ends at an offset.
    mutating func append(_ value: Value, end: UInt32) {
        if isObject {
            let span = Span(source: name.span.source, start: name.span.start, end: end)
            fields.append(ObjectField(name: name, value: value, span: span))
        } else {
            values.append(value)
        }
    }

    func finished(end: UInt32) -> Value {
        let span = Span(source: opening.source, start: opening.start, end: end)
        return isObject ? .object(ObjectValue(fields, span: span)) : .list(ListValue(values, span: span))
    }
}

extension Parser {
    ///     ListValue[Const] : [ ] | [ Value[?Const]+ ]
    ///     ObjectValue[Const] : { } | { ObjectField[?Const]+ }
    ///     ObjectField[Const] : Name : Value[?Const]
    ///
    /// The open lists and objects are in an array, so that deep nesting costs no stack.
    mutating func nestedValue(isConstant: Bool) throws(Failure) -> Value {
        let level = nesting
        var outer: [OpenValue] = []
        var open = try openValue()
        while true {
            do throws(Failure) {
                if take(open.closing) || takeMistakenClosing(of: open, inside: outer.last) {
                    leave()
                    let value = open.finished(end: previousEnd)
                    guard let parent = outer.popLast() else { return value }
                    open = parent
                    open.append(value, end: previousEnd)
                    continue
                }
                if closesAnother(open) {
                    // The token closes an enclosing construct, so that this list or object is given up.
                    let failure = failUnclosed(open)
                    guard let parent = outer.popLast() else { throw failure }
                    open = parent
                    throw failure
                }
                if open.isObject {
                    if token.kind == .string, following.kind == .colon {
                        throw fail("expected an input field name or '}'", suggestion: "write the name without quotes")
                    }
                    open.name = try name("an input field name or '}'")
                    try expectColon(after: open.name)
                }
                if token.kind == .leftBracket || token.kind == .leftBrace {
                    let inner = try openValue()
                    outer.append(open)
                    open = inner
                } else {
                    open.append(try flatValue(isConstant: isConstant), end: previousEnd)
                }
            } catch {
                nesting = level + outer.count + 1
                while !skip(inside: open) {
                    guard let parent = outer.popLast() else { throw Failure() }
                    open = parent
                    nesting -= 1
                }
            }
        }
    }

    private mutating func openValue() throws(Failure) -> OpenValue {
        let opening = lexer.span(of: token)
        let closing = token.kind == .leftBrace ? Token.Kind.rightBrace : .rightBracket
        try enter()
        advance()
        return OpenValue(opening: opening, closing: closing)
    }

    /// Whether the token is a closing bracket of another kind, or the end of the text.
    private func closesAnother(_ open: OpenValue) -> Bool {
        switch token.kind {
        case .rightBrace, .rightBracket, .rightParenthesis, .endOfFile: token.kind != open.closing
        default: false
        }
    }

    /// Takes a wrong closing bracket and reports it, if the bracket of the enclosing construct follows at once.
    private mutating func takeMistakenClosing(of open: OpenValue, inside outer: OpenValue?) -> Bool {
        let next = outer?.closing ?? .rightParenthesis
        guard closesAnother(open), token.kind != next, token.kind != .endOfFile, following.kind == next else {
            return false
        }
        _ = failUnclosed(open)
        advance()
        return true
    }

    private mutating func failUnclosed(_ open: OpenValue) -> Failure {
        let (opening, closing) = open.isObject ? ("{", "}") : ("[", "]")
        return fail(
            "expected '\(closing)'",
            notes: [Diagnostic.Note("'\(opening)' is opened here", at: open.opening)]
        )
    }

    /// Skips, after a mistake, to the end of the list or object, or to its next field. Returns false at a bracket that
    /// closes an enclosing construct.
    private mutating func skip(inside open: OpenValue) -> Bool {
        while token.kind != open.closing, !(open.isObject && Self.resumesAtArgument(&self)) {
            if closesAnother(open) { return false }
            skipGroup()
        }
        return true
    }
}
