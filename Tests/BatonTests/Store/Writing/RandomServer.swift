import RandomCases

@testable import Baton

/// A server with a small schema and changing objects, which answers any plan over the schema. The plans are random too.
///
/// `A` and `B` implement `Node`, and the IDs of `B` are numbers. `C` has an `id` but does not implement `Node`; `P` has
/// no `id`. `A` and `C` are `Named`. No plan mentions `D` and the type whose name must be escaped. Some objects have
/// their `__typename`, whether selected or not.
struct RandomServer {
    var generator: SeededGenerator
    /// The number of changes of each object.
    private var versions: [String: Int] = [:]
    /// Some IDs must be escaped, and some are long.
    static let ids: [String: [String]] = [
        "A": [
            "1", "a", "quote\"backslash\\", "a-rather-long-id-of-more-than-32-bytes-1",
            "a-rather-long-id-of-more-than-32-bytes-2", "",
        ],
        "B": ["7", "8", "123456789012345678901234567890"],
        "C": [
            "1", "2", "", "7", "C:1", "sixteen-bytes-id", "seventeen-bytes-i", "fourteen-bytes", "fifteen-bytes-i",
            "tab\there", "gr\u{fc}n", "a-rather-long-id-of-more-than-32-bytes-1", "23456789",
        ],
        "D": ["1", "2", "C:1", ":", "12345678901234567890123456789012345678901234567890"],
        Self.odd: ["1", "2"],
    ]
    private static let odd = "E\"\\\u{e9}"

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    /// Changes the fields of an object.
    mutating func change() {
        let type = pick(["A", "B", "C", "C", "D", Self.odd, "root"])
        versions["\(type):\(pick(Self.ids[type] ?? [""]))", default: 0] += 1
    }

    // MARK: - Plans

    /// Returns a plan. The operation's variables are `$n`, which has a default, `$on`, and `$absent`, which is never
    /// sent.
    mutating func plan() -> String { "(n=3,on,absent)\(selections(of: "Query", depth: 0))" }

    private mutating func selections(of type: String, depth: Int) -> String {
        var items: [String] = []
        for _ in 0..<Int.random(in: 1...5, using: &generator) { items.append(item(of: type, depth: depth)) }
        if chance(10) { items.append("[on]\(item(of: type, depth: depth))") }
        if chance(10) { items.append("[!on]\(item(of: type, depth: depth))") }
        if chance(10) { items.append("\(chance(50) ? "key=" : "")__id:ID!@client") }
        if type == "I" || type == "U" {
            if chance(40) { items.append("<A>\(selections(of: "A", depth: depth))") }
            if chance(20) { items.append("<C>\(selections(of: "C", depth: depth))") }
            if type == "I", chance(30) { items.append("<*Named>{\(leaf())}") }
        }
        // Servers send fields in the order of the plan. The ID comes last where the compiler has added it.
        if type != "P", type != "U", type != "Query" {
            let place = Int.random(in: 0...items.count, using: &generator)
            items.insert("id:ID!", at: chance(30) ? 0 : chance(50) ? items.count : place)
        }
        return "{\(unique(items).joined(separator: " "))}"
    }

    /// Removes repeated response keys. Fields that differ otherwise have different aliases.
    private func unique(_ items: [String]) -> [String] {
        var known: Set<String> = []
        return items.filter { item in
            guard !item.hasPrefix("<") else { return true }
            let key = item.drop { $0 == "[" || $0 == "!" }.prefix { $0 != "=" && $0 != "(" && $0 != ":" }
            return known.insert(key.hasPrefix("on]") ? String(key.dropFirst(3)) : String(key)).inserted
        }
    }

    private mutating func leaf() -> String {
        let (name, type) = pick([
            ("i", "Int"), ("f", "Float"), ("s", "String"), ("flag", "Boolean"), ("e", "#E"), ("j", "%JSON"),
            ("d", "@Date"),
            ("k", "ID"), ("is", "[Int]"), ("ss", "[[String]]"), ("ds", "[@Date]"), ("named", "String!"),
        ])
        return field(name, type, selections: "")
    }

    private mutating func item(of type: String, depth: Int) -> String {
        guard depth < 4, type == "Query" || chance(50) else { return leaf() }
        let (name, type, mark) = pick([
            ("a", "A", "+A"), ("b", "B", "+B"), ("c", "C", "C"), ("p", "P", "P"), ("one", "I", "*I+A+B"),
            ("any", "U", "*U+A"), ("as", "A", "[+A]"), ("bs", "B", "[+B]!"), ("cs", "C", "[C]"), ("ps", "P", "[P]"),
            ("many", "I", "[*I+A+B]"), ("grid", "A", "[[+A]]"), ("pgrid", "P", "[[P]]"),
        ])
        // Many lists select only the ID of their objects.
        let isMere = chance(30) && type != "P" && type != "U"
        return field(name, mark, selections: isMere ? "{id:ID!}" : selections(of: type, depth: depth + 1))
    }

    /// An alias names the arguments, so that equal response keys are equal fields.
    private mutating func field(_ name: String, _ type: String, selections: String) -> String {
        let kind = selections == "{id:ID!}" ? "m" : ""
        let (suffix, arguments) = pick([
            ("", ""), ("", ""), ("", ""), ("1", "(n:1)"), ("2", "(n:$n)"),
            ("3", "(o:{z:[1,$absent],a:{k:$n,x:$absent}},e:BIG)"),
            ("4", "(n:null)"), ("5", "(n:$absent)"), ("6", "(n:3)"), ("7", "(l:[[1],[$n,null]],n:\"t\")"),
        ])
        if suffix.isEmpty && kind.isEmpty && chance(90) { return "\(name):\(type)\(selections)" }
        return "\(name)\(kind)_\(suffix)_=\(name)\(arguments):\(type)\(selections)"
    }

    // MARK: - Answers

    /// Returns the server's current answer to a plan.
    mutating func answer(_ plan: SelectionPlan, _ variables: VariableValues) -> JSONValue {
        .object(members(of: Object(type: "Query", key: "root:"), plan.items, variables))
    }

    private struct Object {
        let type: String
        /// The key on which the object's values depend.
        let key: String
        var id: String?
        /// True if the object must have its `__typename`.
        var isAbstract = false
    }

    /// Returns the fields of an object in the order of the plan. Fields with the same response key become one field
    /// with all their selections.
    private func fields(
        of type: String, _ items: [SelectionPlan.Item], _ variables: VariableValues
    ) -> [(field: SelectionPlan.Field?, items: [SelectionPlan.Item])] {
        var result: [(field: SelectionPlan.Field?, items: [SelectionPlan.Item])] = []
        func add(_ field: SelectionPlan.Field?, _ items: [SelectionPlan.Item]) {
            if let index = result.firstIndex(where: { $0.field?.responseKey == field?.responseKey }) {
                result[index].items += items
            } else {
                result.append((field, items))
            }
        }
        for item in items {
            if let condition = item.condition, !variables.holds(condition) { continue }
            switch item.kind {
            case .spread: break
            case .field(let field): add(field, field.selections)
            case .inline(let condition, let items):
                if condition?.isAbstract == true {
                    guard type == "A" || type == "C" else { continue }
                    // This is the discriminator `__isNamed`.
                    add(nil, [])
                } else if let condition, condition.type != type {
                    continue
                }
                for (field, items) in fields(of: type, items, variables) { add(field, items) }
            }
        }
        return result
    }

    private mutating func members(
        of object: Object, _ items: [SelectionPlan.Item], _ variables: VariableValues
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        let typename = JSONValue.Member("__typename", .string(object.type))
        for (field, items) in fields(of: object.type, items, variables) {
            if !object.isAbstract, chance(8) || members.isEmpty && chance(40),
                !members.contains(where: { $0.name == "__typename" })
            {
                members.append(typename)
            }
            if field?.name == SelectionPlan.Field.dataID { continue }
            guard let field else {
                members.append(.init("__isNamed", .string(object.type)))
                continue
            }
            if field.responseKey == "id" {
                // A type that does not implement `Node` has a prefix before the number.
                let isNumber = ["7", "8", "23456789"].contains(object.id)
                members.append(.init("id", isNumber ? .int(Int(object.id ?? "") ?? 0) : .string(object.id ?? "")))
                continue
            }
            let key = variables.storageKey(field)
            var random = SeededGenerator(seed: Self.hash("\(object.key) \(versions[object.key] ?? 0) \(key)"))
            let value = value(field.type, items, "\(object.key):\(key)", variables, &random)
            members.append(.init(field.responseKey, value))
        }
        return members
    }

    private mutating func value(
        _ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item], _ place: String, _ variables: VariableValues,
        _ random: inout SeededGenerator
    ) -> JSONValue {
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        switch type {
        case .nonNull(let inner):
            while true {
                let value = value(inner, items, place, variables, &random)
                if value != .null { return value }
            }
        case .list(let inner):
            if number(8) == 0 { return .null }
            var values: [JSONValue] = []
            for index in 0..<number(5) { values.append(value(inner, items, "\(place):\(index)", variables, &random)) }
            return .array(values)
        case .named(let name):
            if number(8) == 0 { return .null }
            switch name {
            case .int: return .int([0, 7, -42, 9_007_199_254_740_993][number(4)])
            case .float: return [.double(0.5), .double(-1e21), .int(3), .double(123.25)][number(4)]
            case .boolean: return .bool(number(2) == 0)
            case .mappedScalar: return .string("20\(10 + number(80))-07")
            case .unmappedScalar: return [.int(5), .string("text"), .bool(true), .string("q\"")][number(4)]
            case .enumeration: return .string(["BIG", "SMALL"][number(2)])
            case .string, .id:
                return .string(
                    [
                        "", "short", "eight888", "gr\u{fc}n", "quote \" and \\ slash", "line\nbreak\u{1}", "\u{1F600}",
                        "a rather long text that is on the heap",
                        "a long text with \"quotes\" and \u{20ac} in it, twice",
                    ][number(9)])
            case .object("P", _): return .object(members(of: Object(type: "P", key: place), items, variables))
            case .object(let type, _): return object(type, items, isAbstract: false, variables, &random)
            case .abstract("U", _, _):
                let type = ["A", "P"][number(2)]
                if type == "A" { return object(type, items, isAbstract: true, variables, &random) }
                let members = members(of: Object(type: type, key: place, isAbstract: true), items, variables)
                return .object([.init("__typename", .string(type))] + members)
            case .abstract:
                let type = ["A", "B", "C", "D", "A", "C", Self.odd][number(7)]
                return object(type, items, isAbstract: true, variables, &random)
            }
        }
    }

    private mutating func object(
        _ type: String, _ items: [SelectionPlan.Item], isAbstract: Bool, _ variables: VariableValues,
        _ random: inout SeededGenerator
    ) -> JSONValue {
        let ids = Self.ids[type] ?? []
        let id = ids[Int.random(in: 0..<ids.count, using: &random)]
        let members = members(
            of: Object(type: type, key: "\(type):\(id)", id: id, isAbstract: isAbstract), items, variables)
        return .object(isAbstract ? [.init("__typename", .string(type))] + members : members)
    }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

extension RandomServer {
    /// Returns the bytes of a response, in the usual form or in an odd but legal one: with space, another order,
    /// escapes, and repeated members, of which the last counts.
    mutating func body(_ data: JSONValue, isOdd: Bool) -> [UInt8] { spelling(of: data, isOdd: isOdd).body }

    /// Returns the bytes of a response, as `body` does, and its data with the members in the order of the bytes.
    mutating func spelling(of data: JSONValue, isOdd: Bool) -> (body: [UInt8], data: JSONValue) {
        guard isOdd else { return (JSONValue.object([.init("data", data)]).jsonBytes, data) }
        var ordered = data
        let body = "\(space()){\(space())\"data\"\(space()):\(space())\(odd(&ordered))}\(space())"
        return (Array(body.utf8), ordered)
    }

    private mutating func space() -> String { chance(70) ? "" : pick([" ", "\n", "\t ", "\r\n"]) }

    /// Returns an odd form of a value, and gives the value the order of that form.
    private mutating func odd(_ value: inout JSONValue) -> String {
        switch value {
        case .object(let members):
            var ordered = members.shuffled(using: &generator)
            var result: [String] = []
            for index in ordered.indices {
                let member = ordered[index]
                let name = chance(10) ? escaped(member.name) : "\"\(member.name)\""
                if chance(10), isScalar(member.value), !["id", "__typename"].contains(member.name) {
                    result.append("\(name):null")
                    if member.name.hasPrefix("named") { result[result.count - 1] = "\(name):\"other\"" }
                }
                result.append("\(name)\(space()):\(space())\(odd(&ordered[index].value))")
                if chance(5) { result.append("\"unknown\":[{\"id\":\"1\"},1e3]") }
            }
            value = .object(ordered)
            return "{\(space())\(result.joined(separator: "\(space()),\(space())"))\(space())}"
        case .array(var values):
            var result: [String] = []
            for index in values.indices { result.append(odd(&values[index])) }
            value = .array(values)
            return "[\(space())\(result.joined(separator: "\(space()),\(space())"))\(space())]"
        case .string(let text) where chance(20): return escaped(text)
        default: return value.text
        }
    }

    private func isScalar(_ value: JSONValue) -> Bool {
        switch value {
        case .object, .array: false
        default: true
        }
    }

    private func escaped(_ text: String) -> String {
        let units = text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(units.joined())\""
    }
}
