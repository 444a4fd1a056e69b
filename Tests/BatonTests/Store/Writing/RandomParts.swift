import RandomCases

@testable import Baton

/// A random answer to `Parts.PartsQuery`, as a whole and as payloads in either form.
struct RandomParts {
    private struct Part {
        let label: String
        let path: [JSONValue]
        let content: JSONValue.Member
        /// The position of the first item, if the part belongs to a list.
        var index: Int?
        /// The parts that are announced when this part arrives.
        var announces: [Int] = []
    }

    var generator: SeededGenerator
    private var parts: [Part] = []
    private var first = JSONValue.null
    private(set) var whole = JSONValue.null

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        make()
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func name() -> JSONValue {
        [.null, .string("n\(number(0...9))"), "gr\u{fc}n \"x\""].randomElement(using: &generator) ?? .null
    }

    private mutating func make() {
        var friends: [JSONValue] = []
        var row: [JSONValue] = []
        for index in 0..<number(0...6) {
            let isNull = number(0...4) == 0
            friends.append(isNull ? .null : ["id": .string("f\(index)"), "name": name()])
            row.append(isNull ? .null : ["email": name()])
        }
        let tags = (0..<number(0...4)).map { JSONValue.int($0 * number(1...3)) }
        let slow: JSONValue = ["email": name(), "best": number(0...2) == 0 ? .null : ["id": "f1", "name": name()]]
        let profile: JSONValue = [
            "b": .int(number(0...9)), "inner": number(0...2) == 0 ? .null : ["c": .int(number(0...9))],
        ]
        // The same record must have the same fields everywhere.
        let best: JSONValue
        if case .object = slow["best"] ?? .null, friends.count > 1, case .object = friends[1] {
            best = friends[1]
        } else {
            best = slow["best"] ?? .null
        }
        let deferred: [JSONValue.Member] = [.init("email", slow["email"] ?? .null), .init("best", best)]

        let atOnce = number(0...friends.count)
        let tagsAtOnce = number(0...tags.count)
        let user: [JSONValue.Member] = [.init("id", "u"), .init("name", name())]
        let a = JSONValue.int(number(0...9))
        first = [
            "user": .object(user + [.init("friends", .array(Array(friends[..<atOnce])))]),
            "tags": .array(Array(tags[..<tagsAtOnce])), "profile": ["a": a],
        ]
        let rows = zip(friends, row).map { friend, row in
            guard case .object(let members) = friend, case .object(let more) = row else { return JSONValue.null }
            return .object(members + more)
        }
        guard case .object(let more) = profile else { return }
        whole = [
            "user": .object(user + [.init("friends", .array(rows))] + deferred), "tags": .array(tags),
            "profile": .object([.init("a", a)] + more),
        ]

        parts.append(Part(label: "Q$defer$Slow", path: ["user"], content: .init("data", .object(deferred))))
        parts.append(Part(label: "Q$defer$Profile", path: [], content: .init("data", ["profile": profile])))
        for (index, row) in row.enumerated() where row != .null {
            parts.append(
                Part(label: "Q$defer$Row", path: ["user", "friends", .int(index)], content: .init("data", row)))
        }
        addItems(friends, from: atOnce, ["user", "friends"], "Q$stream$friends")
        addItems(tags, from: tagsAtOnce, ["tags"], "Q$stream$tags")
    }

    private mutating func addItems(_ items: [JSONValue], from start: Int, _ path: [JSONValue], _ label: String) {
        var index = start
        while index < items.count {
            let end = number(index + 1...items.count)
            let announces = parts.indices.filter { other in
                parts[other].label == "Q$defer$Row" && label == "Q$stream$friends"
                    && (index..<end).contains { parts[other].path.last == .int($0) }
            }
            parts.append(
                Part(
                    label: label, path: path, content: .init("items", .array(Array(items[index..<end]))), index: index,
                    announces: announces))
            index = end
        }
    }

    /// Returns the payloads in the older form, the first one included, in random order.
    mutating func flatPayloads() -> [JSONValue] {
        var elements = parts.map { part in
            var path = part.path
            var content = part.content
            if let index = part.index {
                path.append(.int(index))
                // A single item may also come as an object.
                if case .array(let items) = content.value, items.count == 1, case .object = items[0] {
                    content = .init("data", items[0])
                }
            }
            return JSONValue.object([
                .init("label", .string(part.label)), .init("path", .array(path)), content,
            ])
        }
        elements.shuffle(using: &generator)
        var payloads: [JSONValue] = [.object([.init("data", first), .init("hasNext", true)])]
        while !elements.isEmpty {
            let count = number(1...elements.count)
            let group = Array(elements.prefix(count))
            elements.removeFirst(count)
            if group.count == 1, case .object(let members) = group[0] {
                payloads.append(.object(members + [.init("hasNext", true)]))
            } else {
                payloads.append(["incremental": .array(group), "hasNext": true])
            }
        }
        payloads.shuffle(using: &generator)
        return payloads
    }

    /// Returns the payloads in the newer form. Each part is announced by the payload that makes its place; otherwise
    /// the order is random.
    mutating func announcedPayloads() -> [JSONValue] {
        func id(_ part: Part) -> JSONValue {
            guard part.index == nil else { return .string(part.label) }
            return .string("\(part.label)\(JSONValue.array(part.path).text)")
        }
        func announcement(_ part: Part) -> JSONValue {
            ["id": id(part), "label": .string(part.label), "path": .array(part.path)]
        }
        let later = Set(parts.flatMap(\.announces))
        var announced: Set<JSONValue> = []
        var atOnce: [JSONValue] = []
        for (index, part) in parts.enumerated() where !later.contains(index) && announced.insert(id(part)).inserted {
            atOnce.append(announcement(part))
        }
        var payloads: [JSONValue] = [["data": first, "pending": .array(atOnce), "hasNext": true]]
        // Items of one list come in order, all other parts in any order.
        var rest = parts
        var order: [Part] = []
        while !rest.isEmpty {
            let candidates = rest.indices.filter { index in
                rest[index].index == nil || !rest[..<index].contains { $0.label == rest[index].label }
            }
            order.append(rest.remove(at: candidates.randomElement(using: &generator) ?? 0))
        }
        while !order.isEmpty {
            let count = number(1...order.count)
            let group = order.prefix(count)
            order.removeFirst(count)
            let pending = group.flatMap { $0.announces }.map { announcement(parts[$0]) }
            var elements: [JSONValue] = []
            for part in group {
                // The fields of an inner object may come by themselves.
                if part.label == "Q$defer$Profile", let inner = part.content.value["profile"], number(0...1) == 0 {
                    elements.append(["id": id(part), "subPath": ["profile"], "data": inner])
                } else {
                    elements.append(.object([.init("id", id(part)), part.content]))
                }
            }
            payloads.append([
                "pending": .array(pending), "incremental": .array(elements),
                "completed": .array(group.filter { $0.index == nil }.map { ["id": id($0)] }), "hasNext": true,
            ])
        }
        return payloads
    }
}
