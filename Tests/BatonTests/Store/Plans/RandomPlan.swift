import RandomCases

@testable import Baton

/// Random plans with fitting answers.
///
/// The types are `T0`...`T7`. The even ones implement `Node`, and all of them have an `id`. Some fields have the type
/// `P`, which has no `id`.
struct RandomPlan {
    var generator: SeededGenerator
    /// The server's data: the same object has the same fields wherever it appears.
    private var objects: [String: [String: JSONValue]] = [:]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    // MARK: - Plans

    mutating func plan() -> String { selections(depth: 0, type: nil) }

    private mutating func selections(depth: Int, type: String?) -> String {
        var items: [String] = []
        if type != nil, type != "P" { items.append("id:ID!") }
        for index in 0..<Int.random(in: 1...5, using: &generator) {
            let name = "f\(depth)\(index)"
            let alias = chance(20) ? "a\(name)=\(name)" : name
            let arguments = chance(20) ? "(n:\(index))" : ""
            if depth < 4, chance(45) {
                let type = chance(25) ? "P" : "T\(Int.random(in: 0..<8, using: &generator))"
                let mark = ["T0", "T2", "T4", "T6"].contains(type) ? "+" : ""
                items.append("\(alias)\(arguments):\(wrapped(mark + type))\(selections(depth: depth + 1, type: type))")
            } else {
                let scalar =
                    ["Int", "Float", "String", "Boolean", "ID", "#Color", "%JSON"].randomElement(using: &generator)
                    ?? "Int"
                items.append("\(alias)\(arguments):\(wrapped(scalar))")
            }
        }
        return "{\(items.joined(separator: " "))}"
    }

    private mutating func wrapped(_ type: String) -> String {
        var result = chance(20) ? type + "!" : type
        for _ in 0..<[0, 0, 0, 1, 1, 2][Int.random(in: 0..<6, using: &generator)] {
            result = "[\(result)]" + (chance(20) ? "!" : "")
        }
        return result
    }

    // MARK: - Answers

    /// Returns a response as JSON in the order of the plan.
    mutating func answer(_ items: [SelectionPlan.Item]) -> JSONValue {
        objects = [:]
        return object(items, type: nil, id: nil)
    }

    private mutating func object(_ items: [SelectionPlan.Item], type: String?, id: Int?) -> JSONValue {
        var members: [JSONValue.Member] = []
        for item in items {
            guard case .field(let field) = item.kind else { continue }
            if field.responseKey == "id", let id {
                members.append(.init("id", .string(String(id))))
                continue
            }
            // An object with an ID must have the same value under a key everywhere, or the response would contradict
            // itself.
            let key = VariableValues(sent: .null, declared: []).storageKey(field)
            let shared = type.flatMap { type in id.map { "\(type):\($0)" } }
            if let shared, field.selections.isEmpty, let known = objects[shared]?["\(key) \(field.type)"] {
                members.append(.init(field.responseKey, known))
                continue
            }
            let value = value(field.type, field, depth: 0, salt: "\(shared ?? "") \(key)")
            if let shared, field.selections.isEmpty { objects[shared, default: [:]]["\(key) \(field.type)"] = value }
            members.append(.init(field.responseKey, value))
        }
        return .object(members)
    }

    private mutating func value(_ type: SelectionPlan.FieldType, _ field: SelectionPlan.Field, depth: Int, salt: String)
        -> JSONValue
    {
        switch type {
        case .nonNull(let inner): return present(inner, field, depth: depth, salt: salt)
        default: return chance(15) ? .null : present(type, field, depth: depth, salt: salt)
        }
    }

    private mutating func present(
        _ type: SelectionPlan.FieldType, _ field: SelectionPlan.Field, depth: Int, salt: String
    ) -> JSONValue {
        switch type {
        case .nonNull(let inner): return present(inner, field, depth: depth, salt: salt)
        case .list(let inner):
            return .array(
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    value(inner, field, depth: depth + 1, salt: salt)
                })
        case .named(let name):
            switch name {
            case .int: return .int(Int.random(in: -1000...1000, using: &generator))
            case .float: return .double(Double(Int.random(in: -1000...1000, using: &generator)) / 8 + 0.0625)
            case .boolean: return .bool(chance(50))
            case .id: return .string("id\(Int.random(in: 0..<1000, using: &generator))")
            case .object(let type, _):
                return object(field.selections, type: type, id: type == "P" ? nil : nextID())
            default:
                let words = [
                    "", "plain", "gr\u{fc}n", "quote \" and \\ slash", "line\nbreak",
                    "a rather long text that is on the heap", "\u{1F600}",
                ]
                return .string(words.randomElement(using: &generator) ?? "")
            }
        }
    }

    private var counter = 0

    /// Each object appears once, because the same ID with other links would change the response.
    private mutating func nextID() -> Int {
        counter += 1
        return counter
    }
}
