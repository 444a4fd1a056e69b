/// Lays out the tokens of definitions whose syntax is right.
///
/// The functions follow the grammar, one for each production. A token that the grammar does not expect is written as
/// it is, and no function takes a token beyond the end of the text.
struct LayoutWriter {
    private(set) var tokens: CommentedTokens
    private(set) var index = 0
    var pieces: [LayoutPiece] = []

    init(_ tokens: CommentedTokens) {
        self.tokens = tokens
    }

    /// The current token.
    var token: CommentedTokens.Element { tokens.elements[index] }

    var kind: Token.Kind { token.kind }

    var isAtEnd: Bool { kind == .endOfFile }

    /// The end of the last token that was taken; nil at the beginning.
    var previousEnd: Int? { index > 0 ? Int(tokens.elements[index - 1].end) : nil }

    func isWord(_ word: StaticString) -> Bool {
        guard kind == .name, Int(token.end - token.start) == word.utf8CodeUnitCount else { return false }
        let bytes = tokens.lexer.bytes[Int(token.start)..<Int(token.end)]
        return word.withUTF8Buffer { bytes.elementsEqual($0) }
    }

    private var isBehindOpening: Bool {
        guard index > 0 else { return true }
        switch tokens.elements[index - 1].kind {
        case .leftBrace, .leftBracket, .leftParenthesis: return true
        default: return false
        }
    }

    // MARK: - Between definitions

    /// Writes the comments before the next definition, or before the end of the text, and the line breaks between
    /// them.
    ///
    /// - Parameter startsLine: Whether the first line of the text needs a line break before it.
    mutating func beginDefinition(isFirst: Bool, startsLine: Bool) {
        let comments = tokens.comments[token.comments]
        tokens.elements[index].comments = 0..<0
        for comment in comments where comment.isTrailing { write(comment) }
        let own = comments.filter { !$0.isTrailing }
        var blanks = own.map(\.isBehindBlankLine)
        if !isAtEnd { blanks.append(token.isBehindBlankLine) }
        if !isFirst, !isAtEnd, !blanks.contains(true) { blanks[0] = true }
        for (offset, isBlank) in blanks.enumerated() {
            if offset > 0 || !isFirst {
                pieces.append(.hardLine(isBlank: isBlank))
            } else if startsLine {
                pieces.append(.hardLine(isBlank: false))
            }
            if offset < own.count { write(own[offset]) }
        }
    }

    private mutating func write(_ comment: CommentedTokens.Comment) {
        pieces.append(.comment(comment.start, comment.end, isTrailing: comment.isTrailing))
    }

    // MARK: - Tokens

    /// Writes the gap before the current token, and the token.
    mutating func take(_ gap: LayoutGap, keepsBlank: Bool = true) {
        if isAtEnd { return }
        let isContinued = !gap.isLine && !token.comments.isEmpty
        if isContinued { pieces.append(.indent) }
        separate(gap, keepsBlank: keepsBlank && gap.isLine)
        writeToken()
        if isContinued { pieces.append(.outdent) }
    }

    private mutating func separate(_ gap: LayoutGap, keepsBlank: Bool) {
        let token = token
        if token.comments.isEmpty {
            let isBlank = keepsBlank && token.isBehindBlankLine && !isBehindOpening
            switch gap {
            case .none: break
            case .space, .firstAmpersand, .ampersand: pieces.append(.gap(gap))
            case .hardLine: pieces.append(.hardLine(isBlank: isBlank))
            default: pieces.append(.line(gap, isBlank: isBlank))
            }
            return
        }
        writeComments(keepsBlank: keepsBlank)
        pieces.append(.hardLine(isBlank: keepsBlank && token.isBehindBlankLine))
        switch gap {
        case .firstBar, .bar: pieces.append(.string(Array("| ".utf8)))
        case .firstAmpersand, .ampersand: pieces.append(.string(Array("& ".utf8)))
        default: break
        }
    }

    /// Writes the comments before the current token. A line break must follow.
    private mutating func writeComments(keepsBlank: Bool) {
        for position in token.comments {
            let comment = tokens.comments[position]
            if !comment.isTrailing {
                let isFirst = position == token.comments.lowerBound && isBehindOpening
                pieces.append(.hardLine(isBlank: keepsBlank && comment.isBehindBlankLine && !isFirst))
            }
            write(comment)
        }
    }

    private mutating func writeToken() {
        let token = token
        if token.kind == .blockString {
            writeBlockString(token)
        } else {
            pieces.append(.source(token.start, token.end))
        }
        index += 1
    }

    /// Writes a block string on lines of its own if that does not change its value, and as it is otherwise.
    private mutating func writeBlockString(_ token: CommentedTokens.Element) {
        let string = Token(kind: token.kind, start: token.start, end: token.end)
        let value = tokens.lexer.stringValue(of: string)
        guard BlockString.canHold(value) else {
            let bytes = tokens.lexer.bytes[Int(token.start)..<Int(token.end)]
            let hasLines = bytes.contains { $0 == 0x0A || $0 == 0x0D }
            pieces.append(hasLines ? .verbatim(token.start, token.end) : .source(token.start, token.end))
            return
        }
        pieces.append(.string(Array("\"\"\"".utf8)))
        for line in value.replacingTripleQuotes().utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            pieces.append(.hardLine(isBlank: false))
            pieces.append(.string(Array(line)))
        }
        pieces.append(.hardLine(isBlank: false))
        pieces.append(.string(Array("\"\"\"".utf8)))
    }

    // MARK: - Brackets

    /// Takes the opening bracket of a group that breaks as a whole.
    mutating func openGroup(_ gap: LayoutGap) {
        take(gap)
        pieces.append(.openGroup)
        pieces.append(.indent)
    }

    /// Takes the closing bracket of a group.
    mutating func closeGroup(_ gap: LayoutGap) {
        writeComments(keepsBlank: true)
        pieces.append(.outdent)
        if token.comments.isEmpty {
            if gap != .none { pieces.append(.line(gap, isBlank: false)) }
        } else {
            pieces.append(.hardLine(isBlank: false))
        }
        pieces.append(.closeGroup)
        if !isAtEnd { writeToken() }
    }

    /// Takes an opening brace whose content has lines of its own.
    mutating func openBlock(_ gap: LayoutGap = .space) {
        take(gap)
        pieces.append(.indent)
    }

    /// Takes the closing brace of a block.
    mutating func closeBlock() {
        writeComments(keepsBlank: true)
        pieces.append(.outdent)
        pieces.append(.hardLine(isBlank: false))
        if !isAtEnd { writeToken() }
    }

    /// Takes names with a separator between them, which may also precede the first name. Names behind `|` have a line
    /// each in a broken group; names behind `&` begin a line only behind a comment, as in Prettier.
    mutating func names(separatedBy separator: Token.Kind) {
        let isBar = separator == .pipe
        pieces.append(.openGroup)
        pieces.append(.indent)
        var isFirst = true
        while isFirst || kind == separator {
            if kind == separator { skipSeparator() }
            let first: LayoutGap = isBar ? .firstBar : .firstAmpersand
            let other: LayoutGap = isBar ? .bar : .ampersand
            take(isFirst ? first : other, keepsBlank: false)
            isFirst = false
        }
        pieces.append(.outdent)
        pieces.append(.closeGroup)
    }

    /// Passes a separator; its comments move to the next token.
    private mutating func skipSeparator() {
        let separator = token
        index += 1
        if isAtEnd { return }
        let next = token.comments
        if let first = next.first, separator.isOnNewLine || !separator.comments.isEmpty {
            tokens.comments[first].isTrailing = false
        }
        if separator.comments.isEmpty { return }
        let end = max(next.upperBound, separator.comments.upperBound)
        tokens.elements[index].comments = separator.comments.lowerBound..<end
    }
}
