/// The type that the name of a field with IDs says: `Film` of `deletedFilmIds` and `film_id`.
struct DeletedSubject {
    private let name: String

    /// Returns nil if the name says no type.
    init?(of name: String) {
        var words = Self.words(of: name)
        if let last = words.last, Self.ends.contains(last) { words.removeLast() }
        if let first = words.first, Self.deletions.contains(first) { words.removeFirst() }
        if words.allSatisfy(Self.others.contains) { return nil }
        self.name = words.joined()
    }

    /// Returns true if a type has the name, upper and lower case aside.
    func isType(_ type: TypeName) -> Bool { Self.words(of: type.rawValue).joined() == name }

    private static let ends: Set<String> = ["id", "ids", "payload"]
    private static let deletions: Set<String> = ["delete", "deleted"]
    /// Words that alone say nothing of a type.
    private static let others: Set<String> = [
        "delete", "deleted", "destroyed", "id", "ids", "node", "old", "payload", "removed", "result",
    ]

    /// Returns the words of a name in lower case. An upper-case letter after another letter begins a word.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var isAfterUppercase = true
        for character in name {
            if character == "_" {
                isAfterUppercase = false
                words.append("")
                continue
            }
            if words.isEmpty || character.isUppercase && !isAfterUppercase { words.append("") }
            isAfterUppercase = character.isUppercase
            words[words.count - 1] += character.lowercased()
        }
        return words.filter { !$0.isEmpty }
    }
}
