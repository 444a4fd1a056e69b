import BatonDiagnostics

/// The tokens of a text with the comments and blank lines before them. The last token is the end of the text.
struct CommentedTokens {
    /// A token, and what precedes it.
    struct Element {
        let kind: Token.Kind
        let start: UInt32
        let end: UInt32
        /// The comments between the previous token and this one.
        var comments: Range<Int>
        /// Whether a blank line lies between the token and the previous token or comment.
        let isBehindBlankLine: Bool
        /// Whether a line break lies between the token and the previous token or comment.
        let isOnNewLine: Bool
    }

    /// A comment from its `#` to the end of its line, without white space at its end.
    struct Comment {
        let start: UInt32
        let end: UInt32
        /// Whether a token stands before the comment on its line.
        var isTrailing: Bool
        /// Whether a blank line lies between the comment and the previous token or comment.
        let isBehindBlankLine: Bool
    }

    let lexer: Lexer
    var elements: [Element] = []
    var comments: [Comment] = []

    init(_ source: SourceFile, range: Range<Int>) {
        var lexer = Lexer(source: source, range: range)
        self.lexer = lexer
        var previousEnd = lexer.position
        var token: Token
        repeat {
            token = lexer.next()
            let firstComment = comments.count
            let lines = addComments(in: previousEnd..<max(previousEnd, Int(token.start)))
            elements.append(
                Element(
                    kind: token.kind,
                    start: token.start,
                    end: token.end,
                    comments: firstComment..<comments.count,
                    isBehindBlankLine: lines > 1,
                    isOnNewLine: lines > 0
                )
            )
            previousEnd = Int(token.end)
        } while token.kind != .endOfFile
    }

    /// Adds the comments in the ignored text before a token. Returns the number of line breaks after the last one.
    private mutating func addComments(in range: Range<Int>) -> Int {
        let bytes = lexer.bytes
        var lines = 0
        var isTrailing = !elements.isEmpty
        var index = range.lowerBound
        while index < range.upperBound {
            switch bytes[index] {
            case 0x0A, 0x0D:
                lines += 1
                isTrailing = false
                let isPair = bytes[index] == 0x0D && index + 1 < range.upperBound && bytes[index + 1] == 0x0A
                index += isPair ? 2 : 1
            case UInt8(ascii: "#"):
                let start = index
                while index < range.upperBound, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
                var end = index
                while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
                comments.append(
                    Comment(
                        start: UInt32(truncatingIfNeeded: start),
                        end: UInt32(truncatingIfNeeded: end),
                        isTrailing: isTrailing,
                        isBehindBlankLine: lines > 1
                    )
                )
                lines = 0
            default: index += 1
            }
        }
        return lines
    }
}
