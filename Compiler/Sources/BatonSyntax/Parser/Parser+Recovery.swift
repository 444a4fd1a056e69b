import BatonDiagnostics

extension Parser {
    /// Whether a line break lies between the last token taken and the current one.
    var isOnNewLine: Bool {
        let range = Int(min(previousEnd, token.start))..<Int(token.start)
        return lexer.bytes[range].contains { $0 == 0x0A || $0 == 0x0D }
    }

    /// Reads members in brackets until they close; a member that fails is skipped up to where the next may begin.
    ///
    /// `resumes` says whether after a mistake a member seems to begin at the current token. Where the text goes on with
    /// `{` or `}` instead, with another definition, or ends, the brackets are reported as not closed and what was read
    /// is given. Where members may be bare names, a definition is not told from them.
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
                    // What else lacks in front of the brace may have been skipped.
                    excuseHere()
                    nesting = level
                    return
                }
            }
        }
        nesting = level
        advance()
    }

    /// Whether the token is a brace that belongs to what is around brackets that close like this.
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

    /// Takes a closing bracket that is left over from a mistake in front, where a member is expected.
    mutating func skipLeftoverClosing() -> Bool {
        guard hasFailed, token.kind == .rightParenthesis || token.kind == .rightBracket else { return false }
        advance()
        return true
    }

    /// Skips after a mistake in a member that began at an offset; if that leads to the end of the text, brackets that
    /// are open there are no further mistake.
    mutating func recover(from begin: UInt32, to close: Token.Kind, resumes: (inout Parser) -> Bool) {
        if token.start == begin, token.kind != .endOfFile {
            // A bracket may have been meant to be another one, which is then missed or left over.
            if token.kind.isBracket { hasStrayBracket = true }
            skipGroup()
        }
        skip(to: close, resumes: resumes)
        if token.kind == .endOfFile { excuseHere() }
    }

    /// Skips to the closing token, to where a member seems to begin, or to a brace that belongs to what is around.
    private mutating func skip(to close: Token.Kind, resumes: (inout Parser) -> Bool) {
        while token.kind != .endOfFile, token.kind != close {
            if resumes(&self) { return }
            if token.kind == .rightBrace { return }
            if token.kind == .leftBrace, close != .rightBrace, !isBehindValueSign { return }
            skipGroup()
        }
    }

    /// Whether a brace here begins a value.
    private var isBehindValueSign: Bool { previousKind == .equals || previousKind == .colon }

    /// Takes one token, or all of a bracketed group if it begins one.
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

    /// After a mistake in a selection set or a list of fields: a name, a spread or a description on a new line.
    static func resumesOnNewLine(_ parser: inout Parser) -> Bool {
        switch parser.token.kind {
        case .name, .spread, .string, .blockString: parser.isOnNewLine
        default: false
        }
    }

    /// After a mistake in arguments: `name:`.
    static func resumesAtArgument(_ parser: inout Parser) -> Bool {
        parser.token.kind == .name && parser.following.kind == .colon
    }

    /// After a mistake in the fields of a type: `name:`, or as in a selection set.
    static func resumesAtFieldDefinition(_ parser: inout Parser) -> Bool {
        resumesOnNewLine(&parser) || resumesAtArgument(&parser)
    }

    /// After a mistake in variable definitions: `$`.
    static func resumesAtVariable(_ parser: inout Parser) -> Bool {
        parser.token.kind == .dollar
    }

    /// After a mistake in the head of a definition: skips to the brace that opens its body, and says whether there is
    /// one before another definition seems to begin.
    mutating func skipToBody() -> Bool {
        nesting = 0
        while token.kind != .leftBrace || isBehindValueSign, !isAtDefinition { skipGroup() }
        return token.kind == .leftBrace
    }

    /// After a mistake: skips to a word that begins a definition, outside of all brackets; takes at least one token if
    /// none was taken since the offset.
    mutating func skipToDefinition(from begin: UInt32?) {
        nesting = 0
        if token.start == begin, token.kind != .endOfFile { skipGroup() }
        while !isAtDefinition { skipGroup() }
        if token.kind == .endOfFile { excuseHere() }
    }

    /// Whether, before the next definition, a brace is closed that is not open.
    var closesMoreThanIsOpen: Bool {
        var probe = self
        probe.hasStrayBrace = false
        probe.skipToDefinition(from: start)
        return probe.hasStrayBrace
    }

    /// Whether a definition seems to begin here, other than a query without its keyword; or the text ends.
    private var isAtDefinition: Bool {
        switch token.kind {
        case .endOfFile: true
        case .string, .blockString: isOnNewLine
        case .name: isDefinitionWord
        default: false
        }
    }

    /// Whether the token is one of the words; asked at every field, so most others are told by letter and length.
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

    /// Whether the word here begins the next definition rather than being a name, as far as the next token tells: where
    /// fields or arguments are defined none of these can follow a name.
    private var beginsDefinition: Bool {
        guard isDefinitionWord else { return false }
        switch following.kind {
        case .name, .at, .leftBrace: return true
        default: return false
        }
    }

    /// The same where names stand that nothing follows but the next definition.
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

    /// Whether this may stand behind a complete definition.
    var isBehindDefinition: Bool { token.kind == .leftBrace || token.kind.isString || isAtDefinition }

    /// The words that begin definitions.
    static let definitionWords = [
        "query", "mutation", "subscription", "fragment", "schema", "scalar", "type", "interface", "union", "enum",
        "input", "directive", "extend",
    ]

    /// The words that may stand behind `extend`.
    static let extensibleWords = ["schema", "scalar", "type", "interface", "union", "enum", "input", "directive"]
}
