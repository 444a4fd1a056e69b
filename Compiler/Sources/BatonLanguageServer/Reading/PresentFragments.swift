import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSyntax

/// The fragments in the text of a file that has changed since it was judged.
///
/// A fragment is found by the head of its definition, and only its definition is parsed: parsing all of a text of many
/// megabytes takes as long as a person notices.
struct PresentFragments {
    private let text: GraphQLText
    private let limits: ParserLimits
    /// The definitions of fragments, by their names.
    private var definitions: [String: (piece: GraphQLText.Piece, range: Range<Int>)] = [:]
    /// Whether each fragment begins a definition of `definitions`; otherwise only parsing the text finds all.
    private(set) var areAllFound = true

    init(_ text: GraphQLText, limits: ParserLimits) {
        self.text = text
        self.limits = limits
        for piece in text.pieces {
            DefinitionTokens.forEach(of: piece) { tokens, range in
                for index in 0..<tokens.count where tokens.isKeyword(index, "fragment") {
                    guard tokens.kind(index + 1) == .name, tokens.word(index + 2) == "on" else { continue }
                    if index == 0, let name = tokens.word(1) {
                        definitions[name] = (piece, range)
                    } else {
                        areAllFound = false
                    }
                }
                if tokens.isCut { areAllFound = false }
            }
        }
    }

    subscript(name: String) -> DefinitionIndex.Entry? {
        definitions[name].flatMap { entries(in: $0.piece, $0.range).last { $0.name == name } }
    }

    /// All fragments, in their order.
    var all: [DefinitionIndex.Entry] { text.pieces.flatMap { entries(in: $0, $0.range) } }

    private func entries(in piece: GraphQLText.Piece, _ range: Range<Int>) -> [DefinitionIndex.Entry] {
        let (document, _) = Parser.parseDocument(piece.source, range: range, limits: limits)
        return DefinitionIndex.entries(of: document, piece.source, text.path).filter(\.isFragment)
    }
}
