import BatonSchema
import RandomCases

/// Random operations and fragments: many spreads in one set, on types that the set does not decide, nested, under
/// conditions and in inline fragments.
///
/// With few exceptions, a response key means the same field with the same arguments everywhere, so that most documents
/// are valid. The caller must validate them.
struct RandomDocuments {
    private(set) var text = ""

    private struct Definition {
        let name: String
        let type: SchemaType
        var body = ""
        var variables: Set<String> = []
        var spreads: Set<String> = []
        /// Whether a server is asked for a leaf, so that the fragment can be deferred.
        var asksServer = false
    }

    private static let variables = [
        "a": "Boolean!", "b": "Boolean!", "c": "Boolean! = true", "n": "Int", "s": "String!", "e": "E = B",
        "i": "ID!",
    ]

    private var random: SeededGenerator
    private let schema: Schema
    private let composites: [SchemaType]
    private var fragments: [Definition] = []
    /// The fragments that the current definition may spread without a cycle.
    private var available: [Definition] = []
    private var current: Definition
    private var budget = 0
    private var labels = 0
    /// Whether the current selections are for the client alone, so that nothing below them can be deferred.
    private var isClient = false
    private let conditionPercent: Int

    init?(_ random: SeededGenerator, _ schema: Schema) {
        guard let query = schema.queryType else { return nil }
        self.random = random
        self.schema = schema
        conditionPercent = self.random.pick([0, 15, 40])
        current = Definition(name: "", type: query)
        composites = schema.types.filter { $0.isComposite && !$0.name.hasPrefix("__") && $0 !== query }
        for index in 0..<(2 + self.random.below(7)) {
            let type = self.random.chance(90) ? self.random.pick(composites) : query
            make("F\(index)", on: type, budget: 3 + self.random.below(8))
            fragments.append(current)
            available.append(current)
        }
        for index in 0..<(1 + self.random.below(3)) {
            make("Q\(index)", on: query, budget: 6 + self.random.below(14))
            write(current)
        }
        for fragment in fragments {
            text += "fragment \(fragment.name) on \(fragment.type.name)\(serversDirective()) \(fragment.body)\n"
        }
    }

    private mutating func write(_ operation: Definition) {
        var used = operation.variables
        var seen: Set<String> = []
        var pending = operation.spreads
        while let name = pending.popFirst() {
            guard seen.insert(name).inserted,
                let fragment = fragments.first(where: { $0.name == name })
            else { continue }
            used.formUnion(fragment.variables)
            pending.formUnion(fragment.spreads)
        }
        text += "query \(operation.name)"
        let declared = used.sorted().map { "$\($0): \(Self.variables[$0] ?? "Int")" }
        if !declared.isEmpty { text += "(" + declared.joined(separator: ", ") + ")" }
        text += " \(operation.body)\n"
    }

    private mutating func make(_ name: String, on type: SchemaType, budget: Int) {
        current = Definition(name: name, type: type)
        self.budget = budget
        current.body = set(on: type, depth: 0)
    }

    private mutating func set(on type: SchemaType, depth: Int) -> String {
        var parts: [String] = []
        for _ in 0..<(1 + random.below(4)) where budget > 0 || parts.isEmpty {
            budget -= 1
            parts.append(selection(on: type, depth: depth))
        }
        return "{ " + parts.joined(separator: " ") + " }"
    }

    private mutating func selection(on type: SchemaType, depth: Int) -> String {
        let choice = random.below(100)
        if choice < 40, let spread = spread(on: type) { return spread }
        if choice < 65, depth < 5 { return inlineFragment(on: type, depth: depth) }
        return field(on: type, depth: depth)
    }

    private mutating func spread(on type: SchemaType) -> String? {
        let fitting = available.filter { schema.overlap($0.type, type) }
        guard !fitting.isEmpty else { return nil }
        let fragment = random.pick(fitting)
        current.spreads.insert(fragment.name)
        if !isClient, fragment.asksServer { current.asksServer = true }
        return "...\(fragment.name)" + conditions() + (fragment.asksServer ? deferral() : "")
    }

    private mutating func inlineFragment(on type: SchemaType, depth: Int) -> String {
        if random.chance(20) { return "..." + conditions() + " " + set(on: type, depth: depth + 1) }
        let target = random.pick(composites.filter { schema.overlap($0, type) } + [type])
        return "... on \(target.name)" + conditions() + " " + set(on: target, depth: depth + 1)
    }

    private mutating func field(on type: SchemaType, depth: Int) -> String {
        let leaves = type.fields.filter { schema.namedType(of: $0.type).isLeaf }
        let objects = type.fields.filter { schema.namedType(of: $0.type).isComposite }
        let wantsObject = depth < 4 && budget > 0 && random.chance(55)
        guard let field = (wantsObject ? objects.isEmpty ? leaves : objects : leaves).shuffledFirst(&random) else {
            let typename = (random.chance(70) ? "__typename" : "t: __typename") + conditions()
            // The compiler refuses a selection of this kind only directly at the root.
            return depth == 0 && type === schema.queryType ? "... { \(typename) }" : typename
        }
        var output = ""
        // One key for different fields is valid on different object types. In other places the key makes the document
        // invalid.
        if type.kind == .object, schema.namedType(of: field.type).isLeaf, random.chance(4) {
            output = "k: "
        } else if random.chance(25) {
            output = "x\(field.name): "
        }
        let arguments = field.arguments.compactMap { argument(of: $0, isAliased: output.hasPrefix("x")) }
        output += field.name
        if !arguments.isEmpty { output += "(" + arguments.joined(separator: ", ") + ")" }
        output += conditions()
        let named = schema.namedType(of: field.type)
        guard named.isComposite else {
            if !isClient, !field.isClientOnly { current.asksServer = true }
            return output
        }
        let wasClient = isClient
        defer { isClient = wasClient }
        isClient = wasClient || field.isClientOnly
        return output + " " + set(on: named, depth: depth + 1)
    }

    /// The argument of a field: aliased fields have variables, the others have literals.
    private mutating func argument(of argument: SchemaInputValue, isAliased: Bool) -> String? {
        switch argument.name {
        case "id":
            current.variables.insert("i")
            return "id: $i"
        case "n" where isAliased, "s" where isAliased, "e" where isAliased:
            current.variables.insert(argument.name)
            return "\(argument.name): $\(argument.name)"
        case "n": return "n: 7"
        case "e": return "e: A"
        default: return nil
        }
    }

    private mutating func conditions() -> String {
        var output = ""
        for directive in ["include", "skip"] where random.chance(conditionPercent) {
            if random.chance(20) {
                output += " @\(directive)(if: \(random.chance(50)))"
            } else {
                let variable = random.pick(["a", "b", "c"])
                current.variables.insert(variable)
                output += " @\(directive)(if: $\(variable))"
            }
        }
        return output + serversDirective()
    }

    /// A `@defer` with a unique label.
    private mutating func deferral() -> String {
        guard !isClient, random.chance(15) else { return "" }
        labels += 1
        let choice = random.below(4)
        if choice == 0 { current.variables.insert("a") }
        return " @defer(label: \"l\(labels)\"\(choice == 0 ? ", if: $a" : choice == 1 ? ", if: false" : ""))"
    }

    /// A directive of the server that the compiler does not know.
    private mutating func serversDirective() -> String {
        schema.directive(named: "d") != nil && random.chance(10) ? " @d" : ""
    }
}

extension Array {
    fileprivate func shuffledFirst(_ random: inout SeededGenerator) -> Element? {
        isEmpty ? nil : random.pick(self)
    }
}
