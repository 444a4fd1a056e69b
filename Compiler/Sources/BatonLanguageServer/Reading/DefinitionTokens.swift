import BatonDiagnostics
import BatonSyntax

/// The tokens of the definition around an offset of a text.
///
/// A definition begins with its keyword at the beginning of a line, if its name follows. Definitions that begin in
/// another way belong to the one before them, so that the tokens are those of one definition or of some more. The whole
/// text before the offset is scanned, but only the tokens of the definition are kept.
struct DefinitionTokens {
    let lexer: Lexer
    private let bytes: [UInt8]
    private var tokens: [Token] = []
    /// The offset of the next definition, or the end of the text.
    private(set) var end: Int
    /// Whether the definition has more tokens than `limit`. Then only some of them are there.
    private(set) var isCut = false

    /// The largest number of tokens of a definition, so that a hostile text costs neither memory nor time.
    static let limit = 300_000

    init(_ source: SourceFile, range: Range<Int>, around offset: Int) {
        lexer = Lexer(source: source, range: range)
        bytes = source.bytes
        end = min(range.upperBound, source.bytes.count)
        var scanner = lexer
        while true {
            let token = scanner.next()
            let isLast = token.kind == .endOfFile
            if tokens.count == Self.limit, !isLast {
                isCut = true
                // The next definition shows only behind these tokens.
                tokens.removeFirst(Self.limit - 3)
            }
            if !isLast { tokens.append(token) }
            // The next two tokens tell whether a token begins a definition; the name at the end of a text may be new.
            let candidate = tokens.count - (isLast ? 2 : 3)
            if candidate > 0, beginsDefinition(at: candidate) {
                if Int(tokens[candidate].start) > offset {
                    end = Int(tokens[candidate].start)
                    tokens.removeSubrange(candidate...)
                    break
                }
                tokens.removeFirst(candidate)
                isCut = false
            }
            if isLast { break }
        }
    }

    /// Reads the definitions of a document one after the other. The body gets the tokens and the range of each.
    static func forEach<Failure: Error>(
        of piece: GraphQLText.Piece, body: (DefinitionTokens, Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        var start = piece.range.lowerBound
        while start < piece.range.upperBound {
            let tokens = DefinitionTokens(piece.source, range: start..<piece.range.upperBound, around: start)
            try body(tokens, start..<tokens.end)
            start = max(tokens.end, start + 1)
        }
    }

    var count: Int { tokens.count }

    subscript(index: Int) -> Token { tokens[index] }

    /// The kind of the token at an index; nil behind the last token.
    func kind(_ index: Int) -> Token.Kind? { index < tokens.count ? tokens[index].kind : nil }

    /// The text of the token at an index; nil if that is no name.
    func word(_ index: Int) -> String? { kind(index) == .name ? lexer.text(of: tokens[index]) : nil }

    private static let keywords: [StaticString] = ["query", "mutation", "subscription", "fragment"]

    /// Whether a token is the keyword of a definition.
    func isKeyword(_ index: Int) -> Bool { Self.keywords.contains { isKeyword(index, $0) } }

    /// Whether a token is a certain keyword.
    func isKeyword(_ index: Int, _ keyword: StaticString) -> Bool {
        let token = tokens[index]
        guard token.kind == .name, Int(token.end - token.start) == keyword.utf8CodeUnitCount else { return false }
        return bytes[Int(token.start)..<Int(token.end)].elementsEqual(
            UnsafeBufferPointer(start: keyword.utf8Start, count: keyword.utf8CodeUnitCount))
    }

    /// Whether a token begins a line, and is the first one in the head of a definition with a name.
    private func beginsDefinition(at index: Int) -> Bool {
        let token = tokens[index]
        guard isKeyword(index), index == 0 || hasLineBreak(from: tokens[index - 1].end, to: token.start),
            kind(index + 1) == .name, !hasLineBreak(from: token.end, to: tokens[index + 1].start)
        else { return false }
        if isKeyword(index, "fragment") { return word(index + 2) == "on" }
        switch kind(index + 2) {
        case .leftBrace, .leftParenthesis, .at, nil: return true
        default: return false
        }
    }

    private func hasLineBreak(from start: UInt32, to end: UInt32) -> Bool {
        start < end && bytes[Int(start)..<Int(end)].contains { $0 == 0x0A || $0 == 0x0D }
    }
}
