/// What is known of an operation or fragment without its syntax.
package struct DefinitionRecord: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        case query
        case mutation
        case subscription
        case fragment
    }

    /// The identity of a definition in a project in which no name occurs twice.
    package struct Key: Hashable, Sendable {
        package let isFragment: Bool
        package let name: String

        package init(isFragment: Bool, name: String) {
            self.isFragment = isFragment
            self.name = name
        }
    }

    package var kind: Kind
    package var name: String
    /// The place of the name in the file, in bytes.
    package var nameRange: Range<UInt32>
    /// The hash of the definition's text.
    package var digest: UInt64
    /// The names of the fragments that are spread, each once, in order.
    package var spreads: [String] = []
    /// Those of them whose selections are put in the place of a spread, in which case what is found in them is found
    /// for this definition, too.
    package var unmasked: [String] = []
    /// The name of the query that fetches a fragment again.
    package var refetchQuery: String?
    package var isPreloadable = false
    /// Whether a directive is Relay's alone.
    package var usesRelay = false
    /// The names of the providers of the fragment's arguments.
    package var providers: [String] = []

    // What generating it has shown:

    /// The fragment that a connection made of its edges.
    package var edgeFragment: String?
    /// Whether the reader depends on the operations that reach the fragment.
    package var isReadByContext = false
    /// The names of the types of the schema that the artifacts use, sorted.
    package var usedTypes: [String] = []
    /// The names of the artifacts, sorted.
    package var artifacts: [String] = []
    /// The number of structs with fragment spreads in the artifacts.
    package var references = 0

    package var isFragment: Bool { kind == .fragment }
    package var key: Key { Key(isFragment: isFragment, name: name) }

    package init(kind: Kind, name: String, nameRange: Range<UInt32> = 0..<0, digest: UInt64) {
        self.kind = kind
        self.name = name
        self.nameRange = nameRange
        self.digest = digest
    }
}
