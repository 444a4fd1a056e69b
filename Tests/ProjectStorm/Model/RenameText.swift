import RandomCases

/// A random project whose names are few, so that most new names collide with something.
struct RenameText {
    /// What the name at a place of a document stands for.
    enum Kind: Hashable {
        case fragment
        case operation
        /// A variable of the operation with this name.
        case variable(String)
        /// An argument of the fragment with this name.
        case argument(String)
        case alias
    }

    struct Mark: Hashable {
        let file: String
        /// The offset in the file, whose characters are ASCII.
        let offset: Int
        let kind: Kind
        let name: String
    }

    private var random: SeededGenerator
    private(set) var files: [String: String] = [:]
    private(set) var marks: [Mark] = []
    /// The names of the queries that `@refetchable` makes, by their fragments.
    private(set) var queries: [String: String] = [:]

    static let schema = """
        interface Node { id: ID! }
        type Film implements Node { id: ID! title(upper: Boolean): String year(upper: Boolean): String
          kind(upper: Boolean): Kind person: Person film: Film }
        type Person implements Node { id: ID! title(upper: Boolean): String name(upper: Boolean): String
          film: Film person: Person }
        enum Kind { GOOD BAD }
        type Query { film: Film person: Person node(id: ID!): Node }

        """

    /// The aliases of each field. Most projects have no field under the alias of another one, so that they compile.
    private static let aliases = [
        "title": ["a", "b"], "year": ["c", "d"], "kind": ["e", "title"], "name": ["f", "c"], "person": ["g", "h"],
        "film": ["i", "g"], "id": ["j", "k"],
    ]
    private static let allAliases = Array(Set(aliases.values.joined())).sorted()
    private static let variables = ["p", "q", "r"]
    private static let definitions = [
        "Row", "row", "Cell", "Info", "Kind", "KindQuery", "Cell__edges", "InfoRefetchQuery", "Main", "MainQuery",
        "Other",
    ]

    /// A name of the kind that the project may have already.
    static func newName(_ kind: Kind, _ random: inout SeededGenerator) -> String {
        switch kind {
        case .fragment, .operation: random.pick(definitions + ["Fresh"])
        case .variable, .argument: random.pick(variables + ["id", "fresh"])
        case .alias: random.pick(allAliases + ["id", "name", "year", "fresh"])
        }
    }

    private struct Fragment {
        let name: String
        let isPerson: Bool
        let arguments: [String]
    }

    init(random: SeededGenerator) {
        self.random = random
        var names = Self.definitions
        func take(_ random: inout SeededGenerator) -> String { names.remove(at: random.below(names.count)) }
        let fragments = (0..<4).map { _ in
            Fragment(
                name: take(&self.random), isPerson: self.random.chance(40),
                arguments: self.random.some(of: Self.variables, percent: 30))
        }
        for (index, fragment) in fragments.enumerated() {
            let query = self.random.chance(50) ? take(&self.random) : nil
            add(fragment, query, Array(fragments[(index + 1)...]), to: "documents/F\(index).graphql")
        }
        for index in 0..<2 { addOperation(take(&self.random), fragments, to: "documents/Q\(index).graphql") }
    }

    // MARK: - Writing

    private var text = ""
    private var file = ""

    private mutating func mark(_ name: String, _ kind: Kind) {
        marks.append(Mark(file: file, offset: text.utf8.count, kind: kind, name: name))
        text += name
    }

    private mutating func add(_ fragment: Fragment, _ query: String?, _ later: [Fragment], to name: String) {
        (text, file) = ("fragment ", name)
        mark(fragment.name, .fragment)
        text += " on \(fragment.isPerson ? "Person" : "Film")"
        if random.chance(35) {
            text += " @refetchable"
            if let query {
                text += "(queryName: \""
                mark(query, .operation)
                text += "\")"
            }
            queries[fragment.name] = query ?? fragment.name + "RefetchQuery"
        }
        if !fragment.arguments.isEmpty {
            text += " @argumentDefinitions("
            for argument in fragment.arguments {
                mark(argument, .argument(fragment.name))
                text += ": {type: \"Boolean\", defaultValue: false} "
            }
            text += ")"
        }
        addSelections(isPerson: fragment.isPerson, later, in: fragment, nil, depth: 0)
        text.removeLast()
        for argument in fragment.arguments {
            text += "own_\(fragment.name)_\(argument): title(upper: $"
            mark(argument, .argument(fragment.name))
            text += ") "
        }
        text += "}\n"
        files[name] = text
    }

    private mutating func addOperation(_ operation: String, _ fragments: [Fragment], to name: String) {
        (text, file) = ("query ", name)
        mark(operation, .operation)
        text += "("
        for variable in Self.variables {
            text += "$"
            mark(variable, .variable(operation))
            text += ": Boolean = false "
        }
        text += ") { film"
        addSelections(isPerson: false, fragments, in: nil, operation, depth: 0)
        text += " person"
        addSelections(isPerson: true, fragments, in: nil, operation, depth: 0)
        for variable in Self.variables {
            text += " own_\(operation)_\(variable): node(id: 1) @include(if: $"
            mark(variable, .variable(operation))
            text += ") { id }"
        }
        text += " }\n"
        files[name] = text
    }

    private mutating func addSelections(
        isPerson: Bool, _ fragments: [Fragment], in own: Fragment?, _ operation: String?, depth: Int
    ) {
        text += " { id "
        for _ in 0..<(1 + random.below(3)) {
            switch random.below(8) {
            case 0, 1, 2, 3:
                addField(random.pick(isPerson ? ["title", "name"] : ["title", "year", "kind"]))
                if random.chance(5) { addUse("(upper: ", own, operation) }
                if random.chance(25) { addUse(" @include(if: ", own, operation) }
            case 4, 5:
                let fitting = fragments.filter { $0.isPerson == isPerson }
                if fitting.isEmpty { continue }
                let fragment = random.pick(fitting)
                text += "..."
                mark(fragment.name, .fragment)
                if let argument = fragment.arguments.first, random.chance(70) {
                    text += " @arguments("
                    mark(argument, .argument(fragment.name))
                    addUse(": ", own, operation)
                }
            case 6 where depth < 2:
                let isNext = random.chance(50)
                addField(isNext ? "person" : "film")
                addSelections(isPerson: isNext, fragments, in: own, operation, depth: depth + 1)
            case 7 where random.chance(50):
                text += "... on Node { "
                addField("id")
                text += " }"
            default:
                text += "... on \(isPerson ? "Person" : "Film")"
                addSelections(isPerson: isPerson, fragments, in: own, operation, depth: 9)
            }
            text += " "
        }
        text += "}"
    }

    /// Adds a field, which may have an alias.
    private mutating func addField(_ name: String) {
        if random.chance(50) {
            mark(random.chance(4) ? random.pick(Self.allAliases) : random.pick(Self.aliases[name] ?? []), .alias)
            text += ": "
        }
        text += name
    }

    /// Adds a variable, or a constant, and a parenthesis.
    private mutating func addUse(_ head: String, _ own: Fragment?, _ operation: String?) {
        text += head
        let variable = random.pick(Self.variables)
        if random.chance(15) {
            text += "true"
        } else {
            text += "$"
            if let operation {
                mark(variable, .variable(operation))
            } else if let own, own.arguments.contains(variable) {
                mark(variable, .argument(own.name))
            } else {
                text += variable
            }
        }
        text += ")"
    }
}
