import Baton
import RandomCases

/// A small random world: types, operations that share many records and fields, and fitting answers.
///
/// `N0`, `N1` and `N2` implement `Node`. `L0` and `L1` have an `id` of their own, and `P` has none. `A` is an interface
/// of the first three, and `B` a union of `N0` and `L0`. The name of a field determines its type on every object.
struct Universe {
    static let scalars: [(name: String, type: String)] = [
        ("i0", "Int"), ("i1", "Int"), ("ir", "Int!"), ("s0", "String"), ("f0", "Float"), ("b0", "Boolean"),
        ("j0", "%JSON"), ("w0", "@Word"), ("e0", "#Color"), ("li", "[Int!]"), ("ll", "[[String]]"),
    ]
    static let objects: [(name: String, type: String)] = [
        ("o0", "+N0"), ("o1", "L0"), ("or", "+N1!"), ("p0", "P"), ("a0", "+*A"), ("u0", "*B+N0"), ("lo", "[+N1]"),
        ("la", "[+*A!]"), ("lu", "[*B+N0]!"), ("lp", "[P]"), ("l2", "[[+N2]]"),
    ]
    static let nodes = ["n0", "n1", "n2", "n3", "n4", "q\"5", "a node with a rather long id, 6"]
    static let nodeTypes = ["N0", "N1", "N2"]

    let operations: [ModelOperation]
    /// Whether the type of an object never changes.
    let isStable: Bool

    init(seed: UInt64) {
        isStable = seed % 2 == 0
        var plans = PlanWriter(generator: SeededGenerator(seed: seed), places: SeededGenerator(seed: ~seed))
        operations = (0..<9).map { index in
            let kind: OperationKind = index < 6 ? .query : index < 8 ? .mutation : .subscription
            return ModelOperation("O\(index)", kind, plans.plan())
        }
    }

    /// A world with one query, in which all objects of a type have the same fields.
    init(alike seed: UInt64) {
        isStable = seed % 2 == 0
        var plans = PlanWriter(generator: SeededGenerator(seed: seed), places: SeededGenerator(seed: ~seed))
        operations = [ModelOperation("O", .query, plans.planOfAlike())]
    }

    /// The names of the types inside a type's text.
    static func typeName(_ text: String) -> String {
        text.filter { !"[]!+*".contains($0) && $0 != "%" && $0 != "@" && $0 != "#" }
    }
}

/// Writes the selection plans of a world, with random fields, arguments, conditions and fragments.
private struct PlanWriter {
    var generator: SeededGenerator
    /// Chooses the places of the IDs. With the other generator, the stored runs would change.
    var places: SeededGenerator

    mutating func plan() -> String { "(flag,v=1)" + selections(of: nil, depth: 0) }

    /// Writes a plan with one selection set for each type. There are few values, so that different objects have equal
    /// ones.
    mutating func planOfAlike() -> String {
        let own = identified(fieldsOfAlike() + ["p0:P{i0:Int}"].filter { _ in generator.chance(50) }, "id:ID")
        let below = ["o1:L0\(own)", "lp:[P]{i1:Int o1:L0\(own)}", "l2:[[+N2]]{id:ID!}", "or:+N1!{id:ID!}"]
        let nodes = (0..<3).map { _ in
            let objects = below.filter { _ in generator.chance(40) }
            return identified(fieldsOfAlike() + objects + fieldsOfAlike(after: objects.count), "id:ID!")
        }
        let conditions = zip(Universe.nodeTypes, nodes).map { "<\($0)>\($1)" }
        return """
            (flag,v=1){lo:[+N1]\(nodes[1]) la:[+*A!]{\(conditions.joined(separator: " "))} o0:+N0\(nodes[0])}
            """
    }

    private mutating func fieldsOfAlike(after count: Int = 1) -> [String] {
        let scalars = count == 1 ? ["i0:Int", "b0:Boolean"] : ["i1:Int", "e0:#Color"]
        return scalars.filter { _ in generator.chance(70) }
    }

    private mutating func identified(_ items: [String], _ id: String) -> String {
        var items = items
        items.insert(id, at: places.chance(70) ? items.count : places.below(items.count + 1))
        return "{\(items.joined(separator: " "))}"
    }

    private mutating func selections(of type: String?, depth: Int) -> String {
        var items: [String] = []
        var keys: Set<String> = []
        for _ in 0..<(1 + generator.below(4)) { items += field(depth, &keys) }
        if depth > 0, let type, ["A", "B"].contains(type) {
            for condition in ["N0", "N1", "L0", "*A", "*B"] where generator.chance(25) && condition != "*\(type)" {
                items.append("<\(condition)>" + selections(of: nil, depth: max(depth, 2)))
            }
        }
        if let type, type != "P" {
            // The ID stands last if the compiler has added it.
            let id = ["B", "L0"].contains(type) ? "id:ID" : "id:ID!"
            let place = places.below(items.count + 1)
            items.insert(id, at: places.chance(30) ? 0 : places.chance(60) ? items.count : place)
        }
        return "{\(items.joined(separator: " "))}"
    }

    private mutating func field(_ depth: Int, _ keys: inout Set<String>) -> [String] {
        let isObject = depth < 3 && generator.chance(depth == 0 ? 70 : 45)
        let (name, type) = generator.pick(isObject ? Universe.objects : Universe.scalars)
        let (key, arguments) =
            switch generator.below(8) {
            case 0: ("\(name)_v=\(name)", "(n:$v)")
            case 1: ("\(name)_2=\(name)", "(n:2)")
            default: (name, "")
            }
        guard keys.insert(key).inserted else { return [] }
        let condition = generator.chance(10) ? (generator.chance(50) ? "[flag]" : "[!flag]") : ""
        let below = isObject ? selections(of: Universe.objectType(type), depth: depth + 1) : ""
        return ["\(condition)\(key)\(arguments):\(type)\(below)"]
    }
}

extension Universe {
    /// The object, interface or union type in the text of a field's type.
    static func objectType(_ text: String) -> String {
        let name = typeName(text)
        return name.hasPrefix("B") ? "B" : name
    }
}

/// Makes random answers that fit the plans of a world.
struct Answerer {
    var generator: SeededGenerator
    private let call: ModelCall
    /// The type of each node, which is the same throughout a response.
    private var types: [String: String] = [:]
    private let isOf: [String: Set<String>]

    init(_ call: ModelCall, isStable: Bool, _ generator: SeededGenerator) {
        self.call = call
        self.generator = generator
        for (index, node) in Universe.nodes.enumerated() {
            let changes = self.generator.chance(4)
            let shift = changes ? isStable ? 0 : 1 : 0
            types[node] = Universe.nodeTypes[(index + shift) % 3]
        }
        // The server's schema changes sometimes.
        let isChanged = self.generator.chance(3)
        isOf = ["A": ["N0", "N1", "N2"], "B": isChanged ? ["N0", "L0", "N1"] : ["N0", "L0"]]
    }

    mutating func answer() -> JSONValue { object(call.items, "__Root", id: nil, isAbstract: false) }

    private mutating func object(
        _ items: [SelectionPlan.Item], _ type: String, id: JSONValue?, isAbstract: Bool
    ) -> JSONValue {
        let isOf = { [isOf] (abstract: String) in isOf[abstract]?.contains(type) == true }
        var members: [JSONValue.Member] = isAbstract ? [.init("__typename", .string(type))] : []
        for condition in call.conditions(items, of: type, isOf) where condition.isDecided {
            let name = "__is\(condition.abstractType)"
            if isOf(condition.abstractType), !members.contains(where: { $0.name == name }) {
                members.append(.init(name, .string(type)))
            }
        }
        for field in call.fields(items, of: type, isOf) {
            let key = field.field.responseKey
            if key == "id", let id {
                members.append(.init(key, id))
            } else {
                members.append(.init(key, value(field.field.type, field)))
            }
        }
        if generator.chance(5) { members.append(.init("unasked", .array([.object([.init("x", .null)])]))) }
        if generator.chance(10) { members.shuffle(using: &generator) }
        return .object(members)
    }

    private mutating func value(_ type: SelectionPlan.FieldType, _ field: ModelCall.Field) -> JSONValue {
        switch type {
        case .nonNull(let inner): present(inner, field)
        default: generator.chance(12) ? .null : present(type, field)
        }
    }

    private mutating func present(_ type: SelectionPlan.FieldType, _ field: ModelCall.Field) -> JSONValue {
        switch type {
        case .nonNull(let inner): return present(inner, field)
        case .list(let inner): return .array((0..<generator.below(4)).map { _ in value(inner, field) })
        case .named(let name):
            switch name {
            case .object(let type, _): return concrete(type, field, isAbstract: false)
            case .abstract(let name, _, _):
                return concrete(
                    name == "A" ? generator.pick(Universe.nodeTypes) : generator.pick(["N0", "L0"]), field,
                    isAbstract: true)
            default: return Self.scalar(name, &generator)
            }
        }
    }

    private mutating func concrete(_ type: String, _ field: ModelCall.Field, isAbstract: Bool) -> JSONValue {
        var id: JSONValue?
        switch type {
        case "P": break
        case "L0", "L1":
            let number = generator.below(3)
            id = generator.chance(10) ? .null : generator.chance(30) ? .int(number) : .string("\(number)")
        default:
            let known = Universe.nodes.filter { types[$0] == type }
            id = .string(known.isEmpty ? "only\(type)" : generator.pick(known))
        }
        return object(field.children, type, id: id, isAbstract: isAbstract)
    }

    static func scalar(_ type: SelectionPlan.NamedType, _ generator: inout SeededGenerator) -> JSONValue {
        switch type {
        case .int: return .int(generator.below(4))
        case .float: return .double(Double(generator.below(4)) / 4 + 0.125)
        case .boolean: return .bool(generator.chance(50))
        case .id: return .string("id\(generator.below(3))")
        case .enumeration: return .string(generator.pick(["RED", "GREEN"]))
        case .mappedScalar: return .string(generator.pick(["one", "two"]))
        case .unmappedScalar:
            return generator.pick([.string("x"), .object([.init("a", 1)]), .array([1, 2]), .int(7), .bool(true)])
        default:
            return .string(
                generator.pick(["", "plain", "gr\u{fc}n", "quote \" and \\", "a rather long text that is on the heap"]))
        }
    }
}
