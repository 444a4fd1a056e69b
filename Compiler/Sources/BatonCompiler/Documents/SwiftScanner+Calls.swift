import BatonDiagnostics

/// Calls of `graphql(_:)` whose argument is something else than one literal, which Swift may take and nobody could
/// compile.
extension SwiftScanner {
    /// A call of which the closing parenthesis is not reached yet.
    struct OpenCall {
        /// How many brackets are open inside its parentheses, its own included.
        let depth: Int
        /// The first byte of the argument.
        let start: Int
        /// Whether nobody else's function can be meant.
        let isCertain: Bool
        /// Whether it has labels or several arguments, as a function of somebody else's has.
        var isOther = false
    }

    /// An argument that is no literal.
    struct WrongArgument {
        let span: Span
        let isCertain: Bool
    }

    /// Notes a call whose argument begins at the position, behind a parenthesis that was counted.
    mutating func open(_ depth: Int, isCertain: Bool) {
        guard let byte = peek(0), byte != UInt8(ascii: ")"), !isLabel(at: position) else { return }
        calls.append(OpenCall(depth: depth, start: position, isCertain: isCertain))
    }

    /// Forgets a call of which the argument turned out to be one literal.
    mutating func closeCall(argumentAt start: Int) {
        if calls.last?.start == start { calls.removeLast() }
    }

    /// What is wrong with the argument was said, or the function is another one.
    mutating func excuseCall() {
        if !calls.isEmpty { calls[calls.count - 1].isOther = true }
    }

    /// The position is at a comma.
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

    /// Counts a bracket that was just passed; calls that it leaves open are broken, which Swift says.
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

    /// Reports arguments once it is known what the whole file says: one that imports Baton can hardly mean another
    /// function, and one that declares a function of the name means that.
    mutating func reportWrongArguments() {
        if declaresMarker { return }
        for argument in wrongArguments {
            diagnostics.append(
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

    /// Whether a name with a colon stands there.
    private func isLabel(at start: Int) -> Bool {
        var index = start
        while let byte = byte(index), Self.isIdentifierByte(byte) || byte == UInt8(ascii: "`") { index += 1 }
        guard index > start else { return false }
        while let byte = byte(index), byte <= 0x20 { index += 1 }
        return byte(index) == UInt8(ascii: ":")
    }
}
