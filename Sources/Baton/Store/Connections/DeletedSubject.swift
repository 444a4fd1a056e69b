/// The type of a deleted object, derived from the name of a field or payload type: `Film` of `deletedFilmIds` and
/// `DeleteFilmPayload`.
struct DeletedSubject {
    private let name: String

    /// Returns nil if the name consists only of words about deletions.
    init?(of name: String) {
        let words = Self.words(of: name).filter { !Self.others.contains($0) }
        if words.isEmpty { return nil }
        self.name = words.joined()
    }

    /// Returns true if a type has the name, upper and lower case aside.
    func isType(_ type: TypeName) -> Bool { Self.words(of: type.rawValue).joined() == name }

    private static let others: Set<String> = [
        "delete", "deleted", "destroy", "destroyed", "id", "ids", "old", "output", "payload", "remove", "removed",
        "response", "result",
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
