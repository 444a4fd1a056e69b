import BatonDiagnostics

/// The check of `graphql(_:)` calls whose argument is not one literal. Swift may accept such a call, but Baton cannot
/// compile its argument.
extension SwiftScanner {
    /// A call whose closing parenthesis has not been reached.
    struct OpenCall {
        /// The number of open brackets inside the call, including its own parenthesis.
        let depth: Int
        /// The position of the argument's first byte.
        let start: Int
        /// Whether the call is certainly one of Baton's function `graphql`.
        let isCertain: Bool
        /// Whether the call has labels or several arguments, so that it calls another function.
        var isOther = false
    }

    /// An argument that is not a literal.
    struct WrongArgument {
        let span: Span
        let isCertain: Bool
    }

    /// Records a call whose argument begins at the position. The parenthesis before the argument has been counted.
    mutating func open(_ depth: Int, isCertain: Bool) {
        guard let byte = peek(0), byte != UInt8(ascii: ")"), !isLabel(at: position) else { return }
        calls.append(OpenCall(depth: depth, start: position, isCertain: isCertain))
    }

    /// Removes a call whose argument is one literal.
    mutating func closeCall(argumentAt start: Int) {
        if calls.last?.start == start { calls.removeLast() }
    }

    /// Stops checking the innermost call, because its argument has been reported, or because it calls another function.
    mutating func excuseCall() {
        if !calls.isEmpty { calls[calls.count - 1].isOther = true }
    }

    /// Passes the comma at the position.
    mutating func scanComma() {
        position += 1
        previous = .other
        guard let call = calls.last, call.depth == depth else { return }
        skipTrivia()
        if peek(0) != UInt8(ascii: ")") { excuseCall() }
    }

    mutating func openBracket() {
        position += 1
        previous = .other
        depth += 1
    }

    /// Counts the bracket before the position. Calls that stay open are syntax errors, which Swift reports.
    mutating func countClosingBracket(isParenthesis: Bool) {
        depth = max(0, depth - 1)
        while let call = calls.last, call.depth > depth {
            calls.removeLast()
            guard isParenthesis, call.depth == depth + 1, !call.isOther else { continue }
            var end = position - 1
            while end > call.start, let byte = byte(end - 1), byte <= 0x20 { end -= 1 }
            wrongArguments.append(WrongArgument(span: span(call.start, end), isCertain: call.isCertain))
        }
    }

    /// Reports wrong arguments at the end of the file. They are errors if the file imports Baton, and nothing is
    /// reported if the file declares its own function `graphql`.
    mutating func reportWrongArguments() {
        if declaresMarker { return }
        for argument in wrongArguments {
            report(
                Diagnostic(
                    .swiftArgument,
                    severity: argument.isCertain || importsModule ? .error : .warning,
                    "'graphql' takes one string literal, which the compiler reads where it stands",
                    at: argument.span,
                    suggestion:
                        "write the whole document here; what differs is a variable, what several share a fragment"
                )
            )
        }
    }

    /// Whether an argument label, a name with a colon, begins at the position.
    func isLabel(at start: Int) -> Bool {
        var index = start
        while let byte = byte(index), Self.isIdentifierByte(byte) || byte == UInt8(ascii: "`") { index += 1 }
        guard index > start else { return false }
        while let byte = byte(index), byte <= 0x20 { index += 1 }
        return byte(index) == UInt8(ascii: ":")
    }
}
