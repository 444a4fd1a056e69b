import RandomCases

/// A random schema in SDL: objects with and without an `id`, in interfaces and unions, fields with arguments, and
/// connections.
///
/// A field has the same type wherever its name occurs. Arguments are nullable, because random documents leave them out.
struct AnswerSchema {
    private(set) var text = ""
    /// The client schema extensions; empty for most schemas.
    private(set) var extensions = ""

    private var random: SeededGenerator
    private let objects: [String]
    private let interfaces: [String]
    private let unions: [String]
    /// All fields by name, with their arguments and types.
    private var pool: [(name: String, text: String)] = []
    private var owned: [String: [String]] = [:]

    init(_ random: SeededGenerator) {
        self.random = random
        objects = (0..<(2 + self.random.below(3))).map { "O\($0)" }
        interfaces = (self.random.chance(60) ? ["Node"] : []) + (0..<(1 + self.random.below(2))).map { "I\($0)" }
        unions = (0..<self.random.below(2)).map { "U\($0)" }
        makePool()
        write()
    }

    private mutating func makePool() {
        let wrappers = ["T", "T", "T!", "[T!]", "[T]!"]
        for index in 0..<5 {
            let type = random.pick(["String", "Int", "Boolean", "E"])
            pool.append(("l\(index)", "l\(index)\(arguments(60)): " + strict(wrapped(type, wrappers))))
        }
        for index in 0..<4 {
            let type = random.pick(objects + interfaces + unions)
            pool.append(("c\(index)", "c\(index)\(arguments(40)): " + strict(wrapped(type, wrappers))))
        }
        for index in 0..<2 {
            let arguments = "(first: Int, after: String, topic: String = \"t\", n: Int)"
            pool.append(("k\(index)", "k\(index)\(arguments): C\(index)" + random.pick(["", "!"])))
        }
    }

    private mutating func wrapped(_ type: String, _ wrappers: [String]) -> String {
        random.pick(wrappers).replacing("T", with: type)
    }

    /// A type whose nulls are always errors, or the same type.
    private mutating func strict(_ type: String) -> String {
        guard random.chance(25) else { return type }
        return switch type {
        case _ where type.hasSuffix("]!"): type + " @semanticNonNull(levels: [1])"
        case _ where type.hasSuffix("]"): type + random.pick([" @semanticNonNull", " @semanticNonNull(levels: [0])"])
        case _ where type.hasSuffix("!"): type
        default: type + " @semanticNonNull"
        }
    }

    private mutating func arguments(_ percent: Int) -> String {
        guard random.chance(percent) else { return "" }
        let all = ["b: Boolean", "n: Int", "s: String = \"d\"", "e: E", "f: In"]
        let some = random.some(of: all, percent: 50)
        return some.isEmpty ? "" : "(" + some.joined(separator: ", ") + ")"
    }

    /// The directive of an object type by which the nulls of a field are always errors.
    private mutating func strictField(of name: String) -> String {
        let fields = pool.filter { field in
            owned[name]?.contains(field.name) == true && !field.text.hasSuffix("!") && !field.text.contains("@")
                && !field.name.hasPrefix("k")
        }
        guard !fields.isEmpty, random.chance(20) else { return "" }
        return " @semanticNonNullField(name: \"\(random.pick(fields).name)\")"
    }

    private mutating func write() {
        let hasExtensions = random.chance(40)
        text += "enum E { A B }\ninput In { n: Int s: String e: E f: In }\n"
        for name in interfaces {
            owned[name] = name == "Node" ? ["id"] : random.some(of: pool.map(\.name), percent: 30)
            if owned[name]?.isEmpty == true { owned[name] = ["l0"] }
            text += "interface \(name) { \(fields(of: name)) }\n"
        }
        for (index, name) in objects.enumerated() {
            // Each interface is implemented by at least one object type.
            let own = interfaces.enumerated().filter { random.chance(50) || $0.offset % objects.count == index }
                .map(\.element)
            var fields = Set(random.some(of: pool.map(\.name), percent: 60) + ["l1"])
            for interface in own { fields.formUnion(owned[interface] ?? []) }
            if random.chance(40) { fields.insert("id") }
            owned[name] = fields.sorted()
            let clause = own.isEmpty ? "" : " implements " + own.joined(separator: " & ")
            text += "type \(name)\(clause)\(strictField(of: name)) { \(self.fields(of: name)) }\n"
            if hasExtensions, random.chance(60) {
                extensions += "extend type \(name) { z0: String z1: \(random.pick(objects)) }\n"
            }
        }
        for name in unions {
            let members = random.some(of: objects, percent: 60)
            text += "union \(name) = \((members.isEmpty ? objects : members).joined(separator: " | "))\n"
        }
        for index in 0..<2 {
            let node = random.pick(objects + interfaces + unions)
            text += "type C\(index) { edges: [D\(index)] pageInfo: PageInfo! l1: Int }\n"
            text += "type D\(index) { cursor: String! node: \(node) l2: String }\n"
        }
        text += "type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! "
        text += "endCursor: String! startCursor: String! }\n"
        text += "type Query { "
        for name in interfaces + objects + unions {
            text += "q\(name): " + random.pick([name, name, "[\(name)!]", "\(name)!"]) + " "
        }
        text += pool.first { $0.name == "k0" }.map { $0.text } ?? ""
        text += " }\n"
    }

    private func fields(of name: String) -> String {
        (owned[name] ?? []).map { field in
            field == "id" ? "id: ID!" : pool.first { $0.name == field }?.text ?? field
        }.joined(separator: " ")
    }
}
