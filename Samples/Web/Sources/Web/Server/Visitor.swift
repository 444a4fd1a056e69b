/// A signed-in visitor, as this site knows them.
struct Visitor: Sendable, Hashable {
    let name: String
    /// The ids of the films that the visitor has marked.
    var favorites: Set<String> = []

    /// A name that is shown: some letters, no more than fit. Nil for a text that is no name.
    static func name(from text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).map { VisibleText.cleaned(String($0)) }
        let name = words.filter { !VisibleText.isBlank($0) }.joined(separator: " ")
        return !name.isEmpty && name.unicodeScalars.count <= 40 ? name : nil
    }
}
