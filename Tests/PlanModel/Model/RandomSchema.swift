/// A small schema in SDL in which many types overlap: objects in several interfaces, interfaces that implement others,
/// and unions.
///
/// A field has the same type wherever its name occurs, except where objects and interfaces narrow it, so that random
/// documents rarely conflict. The schema may be invalid; the caller must then make another one.
import RandomCases

struct RandomSchema {
    private(set) var text = ""
    /// The client schema extensions, or nil.
    private(set) var extensions: String?

    private struct Shape {
        var named: String
        var wrapper: String
        var arguments: String

        var text: String { wrapper.replacing("T", with: named) }
    }

    private var random: SeededGenerator
    private let objects: [String]
    private let interfaces: [String]
    private let unions: [String]
    private var pool: [(name: String, shape: Shape)] = []
    private var supertypes: [String: [String]] = [:]
    private var fields: [String: [String: Shape]] = [:]

    init(_ random: SeededGenerator) {
        self.random = random
        objects = (0..<(2 + self.random.below(3))).map { "O\($0)" }
        interfaces = (self.random.chance(70) ? ["Node"] : []) + (0..<(1 + self.random.below(3))).map { "I\($0)" }
        unions = (0..<self.random.below(3)).map { "U\($0)" }
        makePool()
        makeSupertypes()
        for name in interfaces + objects { makeFields(of: name) }
        write()
    }

    private mutating func makePool() {
        for index in 0..<5 {
            let named = random.pick(["String", "Int", "Boolean", "E"])
            let wrapper = random.pick(["T", "T", "T!", "[T!]", "[T]!"])
            let arguments = random.chance(30) ? "(n: Int, s: String = \"d\")" : ""
            pool.append(("l\(index)", Shape(named: named, wrapper: wrapper, arguments: arguments)))
        }
        for index in 0..<4 {
            let named = random.pick(objects + interfaces + interfaces + unions + unions)
            let wrapper = random.pick(["T", "T", "T!", "[T!]!", "[T]"])
            let arguments = random.chance(30) ? "(n: Int, e: E)" : ""
            pool.append(("c\(index)", Shape(named: named, wrapper: wrapper, arguments: arguments)))
        }
    }

    private mutating func makeSupertypes() {
        for (index, name) in (interfaces + objects).enumerated() {
            let possible = name.hasPrefix("O") ? interfaces : Array(interfaces[..<index])
            var all: [String] = []
            for interface in random.some(of: possible, percent: 45) {
                let others = (supertypes[interface] ?? []) + [interface]
                all += others.filter { !all.contains($0) }
            }
            supertypes[name] = all
        }
    }

    private mutating func makeFields(of name: String) {
        var own: [String: Shape] = [:]
        for interface in supertypes[name] ?? [] { own.merge(fields[interface] ?? [:]) { _, new in new } }
        if name == "Node" { own["id"] = Shape(named: "ID", wrapper: "T!", arguments: "") }
        if name != "Node" || random.chance(30) {
            for (field, shape) in pool where own[field] == nil && random.chance(name.hasPrefix("O") ? 50 : 35) {
                own[field] = shape
            }
        }
        if own["id"] == nil, name != "Node", random.chance(25) {
            own["id"] = Shape(named: "ID", wrapper: "T!", arguments: "")
        }
        if own.isEmpty, let (field, shape) = pool.first { own[field] = shape }
        for (field, shape) in own.sorted(by: { $0.key < $1.key }) where field != "id" && random.chance(12) {
            own[field] = narrowed(shape)
        }
        fields[name] = own
    }

    private mutating func narrowed(_ shape: Shape) -> Shape {
        var shape = shape
        if !shape.wrapper.hasSuffix("!"), random.chance(50) { shape.wrapper += "!" }
        let members = objects.filter { (supertypes[$0] ?? []).contains(shape.named) }
        if !members.isEmpty, random.chance(60) { shape.named = random.pick(members) }
        return shape
    }

    private mutating func write() {
        for name in interfaces + objects {
            let implemented = supertypes[name] ?? []
            text += (name.hasPrefix("O") ? "type " : "interface ") + name
            if !implemented.isEmpty { text += " implements " + implemented.joined(separator: " & ") }
            let own = (fields[name] ?? [:]).sorted { $0.key < $1.key }
            let lines = own.map { "\($0.key)\($0.value.arguments): \($0.value.text)" }
            text += " { " + lines.joined(separator: " ") + " }\n"
        }
        for name in unions {
            var members = random.some(of: objects, percent: 60)
            if members.isEmpty { members = objects }
            text += "union \(name) = \(members.joined(separator: " | "))\n"
        }
        text += "directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT\n"
        if random.chance(30) {
            text += "directive @d repeatable on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION\n"
        }
        text += "enum E { A B }\ntype Query {"
        for name in interfaces + objects + unions {
            text += " q\(name): " + random.pick([name, name, "[\(name)!]", "\(name)!"])
        }
        if interfaces.contains("Node") { text += " node(id: ID!): Node" }
        text += " l0: String }\n"
        guard random.chance(30) else { return }
        let extended = random.pick(objects)
        extensions = "extend type \(extended) { clientLeaf: String clientObject: \(random.pick(objects)) }\n"
    }
}
