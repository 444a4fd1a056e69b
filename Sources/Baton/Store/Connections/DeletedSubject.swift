/// The type that the name of a field or payload says was deleted: `Film` of `deletedFilmIds` and `DeleteFilmPayload`.
struct DeletedSubject {
    private let name: String

    /// Nil if the name has no words but those that tell of deletions.
    init?(of name: String) {
        let words = Self.words(of: name).filter { !Self.others.contains($0) }
        if words.isEmpty { return nil }
        self.name = words.joined()
    }

    /// Whether a type has the name, upper and lower case aside.
    func isType(_ type: TypeName) -> Bool { Self.words(of: type.rawValue).joined() == name }

    private static let others: Set<String> = [
        "delete", "deleted", "destroy", "destroyed", "id", "ids", "old", "output", "payload", "remove", "removed",
        "response", "result",
    ]

    /// The words in lower case; an upper-case letter after another letter begins one.
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
