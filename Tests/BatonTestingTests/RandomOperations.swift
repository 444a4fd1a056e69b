import Baton
import BatonTesting
import RandomCases

/// Random valid queries over a schema, which a service describes by introspection.
struct RandomOperations {
    private struct Field {
        let name: String
        let type: String
        let isList: Bool
        /// The arguments with their types.
        let arguments: [(name: String, type: String)]
    }

    private struct Kind {
        var fields: [Field] = []
        var possible: Set<String> = []
        var isLeaf = true
    }

    private var kinds: [String: Kind] = [:]
    private var random: SeededGenerator
    private var aliases: [String: String] = [:]
    private var labels = 0
    private var fragments: [(name: String, type: String, body: String)] = []
    private var budget = 0

    init?(_ service: World, seed: Int) {
        random = SeededGenerator(seed: seed)
        let answer = service.execute(
            """
            { __schema { types { kind name possibleTypes { name } fields { name args { name type { ...T } } type { ...T } } } } }
            fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
              ofType { kind name } } } } } }
            """)
        for type in answer.at("data.__schema.types")?.arrayValue ?? [] {
            guard let name = type["name"]?.stringValue, !name.hasPrefix("__") else { continue }
            var kind = Kind()
            kind.isLeaf = !["OBJECT", "INTERFACE", "UNION"].contains(type["kind"]?.stringValue)
            kind.possible = Set((type["possibleTypes"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue })
            if kind.possible.isEmpty { kind.possible = [name] }
            kind.fields = (type["fields"]?.arrayValue ?? []).compactMap { Self.field($0) }
            kinds[name] = kind
        }
        guard kinds["Query"] != nil else { return nil }
    }

    private static func field(_ json: JSONValue) -> Field? {
        guard let name = json["name"]?.stringValue, let type = json["type"] else { return nil }
        let arguments = (json["args"]?.arrayValue ?? []).compactMap { argument -> (name: String, type: String)? in
            guard let name = argument["name"]?.stringValue, let type = argument["type"] else { return nil }
            return (name, text(of: type))
        }
        let whole = text(of: type)
        return Field(
            name: name, type: whole.filter { !"[]!".contains($0) },
            isList: whole.hasPrefix("["), arguments: arguments)
    }

    private static func text(of type: JSONValue) -> String {
        let inner = type["ofType"].map { $0 == .null ? "" : text(of: $0) } ?? ""
        switch type["kind"]?.stringValue {
        case "NON_NULL": return inner + "!"
        case "LIST": return "[" + inner + "]"
        default: return type["name"]?.stringValue ?? ""
        }
    }

    /// A random document with one query.
    mutating func next() -> String {
        (aliases, labels, fragments) = ([:], 0, [])
        let composites = kinds.filter { !$0.value.isLeaf && !["Query", "Mutation", "Subscription"].contains($0.key) }
            .keys.sorted()
        for index in 0..<below(3) {
            budget = 6
            let type = composites[below(composites.count)]
            fragments.append(("F\(index)", type, set(type, 2)))
        }
        budget = 14
        let body = set("Query", 4)
        return ["query Q \(body)"].joined() + fragments.map { " fragment \($0.name) on \($0.type) \($0.body)" }.joined()
    }

    private mutating func below(_ count: Int) -> Int { random.below(count) }

    private mutating func set(_ type: String, _ depth: Int) -> String {
        var parts = ["__typename"]
        for _ in 0..<(1 + below(4)) where budget > 0 {
            budget -= 1
            parts.append(selection(type, depth))
        }
        return "{ " + parts.joined(separator: " ") + " }"
    }

    private mutating func selection(_ type: String, _ depth: Int) -> String {
        let overlapping = kinds.filter {
            !$0.value.isLeaf && !$0.value.possible.isDisjoint(with: kinds[type]?.possible ?? [])
        }
        .keys.sorted()
        let choice = below(10)
        if choice < 2, depth > 0 {
            let target = overlapping[below(overlapping.count)]
            return "... on \(target)\(later("defer")) \(set(target, depth - 1))"
        }
        if choice < 4 {
            let fitting = fragments.filter { overlapping.contains($0.type) }
            if !fitting.isEmpty { return "...\(fitting[below(fitting.count)].name)\(later("defer"))" }
        }
        let fields = (kinds[type]?.fields ?? []).filter { depth > 0 || kinds[$0.type]?.isLeaf == true }
        guard !fields.isEmpty else { return "__typename" }
        let field = fields[below(fields.count)]
        let isLeaf = kinds[field.type]?.isLeaf == true
        var text = field.name + arguments(field)
        let isStreamed = field.isList && below(3) == 0
        let signature = "\(text) \(field.type) \(field.isList)" + (isStreamed ? " \(labels)" : "")
        let alias = aliases[signature] ?? "x\(aliases.count)"
        aliases[signature] = alias
        text = "\(alias): \(text)" + (isStreamed ? later("stream", ", initialCount: \(below(3))") : "")
        return isLeaf ? text : text + " " + set(field.type, depth - 1)
    }

    private mutating func later(_ name: String, _ more: String = "") -> String {
        guard name == "stream" || below(2) == 0 else { return "" }
        labels += 1
        let condition = below(5) == 0 ? ", if: false" : ""
        return " @\(name)(label: \"L\(labels)\"\(more)\(condition))"
    }

    private mutating func arguments(_ field: Field) -> String {
        var given: [String] = []
        for argument in field.arguments where argument.type.hasSuffix("!") || below(3) == 0 {
            let isBackwards = ["last", "before"].contains(argument.name)
            let isForwards = ["first", "after"].contains(argument.name)
            if isBackwards, given.contains(where: { $0.hasPrefix("first") || $0.hasPrefix("after") }) { continue }
            if isForwards || isBackwards || argument.type.hasPrefix("Int") {
                let value = argument.type.hasPrefix("Int") ? String(below(5)) : "\"Film:\(1 + below(9))\""
                given.append("\(argument.name): \(value)")
                continue
            }
            let id = "\"\(["Film", "Book", "Person", "Review"][below(4)]):\(1 + below(9))\""
            switch argument.type {
            case "ID!", "ID": given.append("\(argument.name): \(id)")
            case "[ID!]!": given.append("\(argument.name): [\(id), \"Film:1\"]")
            case "String", "String!": given.append("\(argument.name): \"s\(below(3))\"")
            case "By!": given.append("\(argument.name): { id: \(id) }")
            case "Genre": given.append("\(argument.name): NOIR")
            default: continue
            }
        }
        return given.isEmpty ? "" : "(" + given.joined(separator: ", ") + ")"
    }
}

/// Puts the payloads of a response together, as a client of either format does.
struct AssembledParts {
    /// A part has no place in what came before it, or a field came twice.
    struct Misplaced: Error {
        let part: JSONValue
    }

    private(set) var data: JSONValue = .null
    private(set) var errors: [JSONValue] = []
    private var pending: [String: [JSONValue]] = [:]
    private(set) var ended: Set<String> = []

    init(_ payloads: [JSONValue]) throws {
        for (index, payload) in payloads.enumerated() {
            let isLast = index == payloads.count - 1
            guard payload["hasNext"] == (payloads.count == 1 ? nil : .bool(!isLast)) else {
                throw Misplaced(part: payload)
            }
            if index == 0 { data = payload["data"] ?? .null }
            errors += payload["errors"]?.arrayValue ?? []
            for announced in payload["pending"]?.arrayValue ?? [] {
                pending[announced["id"]?.stringValue ?? ""] = announced["path"]?.arrayValue
            }
            for part in payload["incremental"]?.arrayValue ?? [] { try add(part) }
            for completed in payload["completed"]?.arrayValue ?? [] {
                errors += completed["errors"]?.arrayValue ?? []
                guard ended.insert(completed["id"]?.stringValue ?? "").inserted else {
                    throw Misplaced(part: completed)
                }
            }
        }
        guard Set(pending.keys) == ended else { throw Misplaced(part: .string("\(pending.keys) \(ended)")) }
    }

    private mutating func add(_ part: JSONValue) throws {
        errors += part["errors"]?.arrayValue ?? []
        let isAnnounced = part["id"] != nil
        var path = part["path"]?.arrayValue ?? []
        if let id = part["id"]?.stringValue {
            guard let known = pending[id] else { throw Misplaced(part: part) }
            path = known + (part["subPath"]?.arrayValue ?? [])
        }
        var isPlaced = false
        if let items = part["items"]?.arrayValue {
            let start = isAnnounced ? nil : path.popLast()?.intValue
            data.change(at: path[...]) { value in
                guard let known = value.arrayValue, start == nil || start == known.count else { return }
                value = .array(known + items)
                isPlaced = true
            }
        } else if let new = part["data"] {
            data.change(at: path[...]) { value in
                isPlaced = value.merge(new, isOnce: isAnnounced)
            }
        }
        guard isPlaced else { throw Misplaced(part: part) }
    }
}

extension JSONValue {
    fileprivate mutating func change(at path: ArraySlice<JSONValue>, _ body: (inout JSONValue) -> Void) {
        guard let first = path.first else { return body(&self) }
        switch (self, first) {
        case (.object(var members), .string(let name)):
            guard let index = members.firstIndex(where: { $0.name == name }) else { return }
            members[index].value.change(at: path.dropFirst(), body)
            self = .object(members)
        case (.array(var items), .int(let index)) where items.indices.contains(index):
            items[index].change(at: path.dropFirst(), body)
            self = .array(items)
        default: return
        }
    }

    /// Returns false if the values do not fit, or if a member comes twice and must not.
    fileprivate mutating func merge(_ other: JSONValue, isOnce: Bool) -> Bool {
        switch (self, other) {
        case (.object(var members), .object(let new)):
            for member in new {
                if let index = members.firstIndex(where: { $0.name == member.name }) {
                    guard !isOnce, members[index].value.merge(member.value, isOnce: false) else { return false }
                } else {
                    members.append(member)
                }
            }
            self = .object(members)
            return true
        case (.array(var items), .array(let new)):
            guard !isOnce, items.count == new.count else { return false }
            for index in items.indices where !items[index].merge(new[index], isOnce: false) { return false }
            self = .array(items)
            return true
        default: return self == other
        }
    }
}
