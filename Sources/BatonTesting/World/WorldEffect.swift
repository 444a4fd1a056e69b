import Baton
import BatonSchema

/// What a mutation has done.
struct WorldEffect: Sendable {
    enum Verb {
        case create
        case update
        case delete
    }

    let verb: Verb
    /// The entities that the mutation is about.
    var entities: [WorldObject] = []
    /// The entities that the input names.
    var named: [WorldObject] = []
    /// The arguments, and the members of input objects among them.
    let inputs: [JSONValue.Member]

    func input(_ name: String) -> JSONValue? { inputs.first { $0.name == name }?.value }
}

extension WorldEffect {
    private static let creating: Set<String> = ["create", "add", "new", "insert", "register", "post", "submit", "open"]
    private static let deleting: Set<String> = ["delete", "destroy", "remove", "discard"]
    private static let updating: Set<String> = ["update", "edit", "change", "set", "rename", "modify"]
    /// The verbs that say enough without a noun.
    private static let certain: Set<String> = ["create", "delete", "destroy"]

    /// The words of a mutation's field, such as `createFilm` and `filmCreate`.
    struct Phrase {
        var verb = Verb.update
        /// The words beside the verb, in lower case.
        let noun: String
        let isCertain: Bool

        init(_ field: String) {
            let words = LeafTable.words(of: field)
            for (word, others) in [(words.first, words.dropFirst()), (words.last, words.dropLast())] {
                guard let word else { continue }
                let isCreating = WorldEffect.creating.contains(word)
                guard isCreating || WorldEffect.deleting.contains(word) else { continue }
                verb = isCreating ? .create : .delete
                noun = others.joined()
                isCertain = WorldEffect.certain.contains(word)
                return
            }
            let standsLast = words.last.map { WorldEffect.updating.contains($0) } ?? false
            noun = (standsLast ? words.dropLast() : words.dropFirst()).joined()
            isCertain = false
        }

        /// Whether the noun is the name of a type, or that of several.
        func names(_ type: SchemaType) -> Bool {
            let name = type.name.lowercased()
            return noun == name || noun == name + "s"
        }

        /// Whether the noun means a type: `comment` means `Comment` and `IssueComment`.
        func means(_ type: SchemaType) -> Bool {
            let name = type.name.lowercased()
            return !noun.isEmpty
                && [noun, noun + "s"].contains { $0 == name || $0 == name + "s" || name.hasSuffix($0) }
        }
    }
}
