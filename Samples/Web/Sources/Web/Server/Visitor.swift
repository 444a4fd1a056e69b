/// A signed-in visitor, as this site knows them.
struct Visitor: Sendable, Hashable {
    let name: String
    /// The ids of the films that the visitor has marked.
    var favorites: Set<String> = []

    /// A name that is shown: some letters, no more than fit. Nil for a text that is no name.
    static func name(from text: String) -> String? {
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isShort = !name.isEmpty && name.unicodeScalars.count <= 40
        return isShort && !name.unicodeScalars.contains { $0.properties.generalCategory == .control } ? name : nil
    }
}
