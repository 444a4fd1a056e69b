import Baton
import RandomCases

/// One answer to a random document as a tree, which can be sent as a whole or in parts.
///
/// Each value has its uses: the fragments and streams to whose parts the value belongs.
final class PartsAnswer {
    /// A fragment at one object, or a list whose items arrive later. Use 0 is the beginning of the response.
    struct Use {
        let label: String
        let path: [JSONValue.PathComponent]
        let parent: Int
        let isStream: Bool
    }

    final class Node {
        enum Content {
            case leaf(JSONValue)
            case object
            case list
        }

        let key: JSONValue.PathComponent
        let path: [JSONValue.PathComponent]
        let parent: Int?
        let content: Content
        var uses: Set<Int> = []
        var children: [Int] = []
        var isSent = false

        init(_ key: JSONValue.PathComponent, _ path: [JSONValue.PathComponent], _ parent: Int?, _ content: Content) {
            (self.key, self.path, self.parent, self.content) = (key, path, parent, content)
        }
    }

    private(set) var nodes: [Node] = []
    private(set) var uses = [Use(label: "", path: [], parent: 0, isStream: false)]
    private let round: Int
    /// The part of the fragments, in percent, that the server sends at once although they may come later.
    private let atOnce: Int
    private var random: SeededGenerator

    init(_ selections: [PartsDocument.Selection], round: Int, seed: UInt64) {
        self.round = round
        random = SeededGenerator(seed: seed)
        atOnce = random.pick([0, 0, 15, 50])
        nodes.append(Node(.key(""), [], nil, .object))
        nodes[0].uses = [0]
        visit(0, .init(identity: "root", type: "Query"), selections, use: 0)
    }

    // MARK: - The tree

    private func child(_ parent: Int, _ key: JSONValue.PathComponent, _ content: Node.Content, use: Int) -> Int {
        if let known = nodes[parent].children.first(where: { nodes[$0].key == key }) {
            nodes[known].uses.insert(use)
            return known
        }
        let node = Node(key, nodes[parent].path + [key], parent, content)
        node.uses = [use]
        nodes.append(node)
        nodes[parent].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    private func use(_ label: String, _ path: [JSONValue.PathComponent], parent: Int, isStream: Bool) -> Int {
        if let known = uses.firstIndex(where: { $0.label == label && $0.path == path }) { return known }
        uses.append(Use(label: label, path: path, parent: parent, isStream: isStream))
        return uses.count - 1
    }

    private func visit(
        _ node: Int, _ object: PartsDocument.Object, _ selections: [PartsDocument.Selection], use: Int
    ) {
        for selection in selections {
            switch selection {
            case .fragment(let label, let inner):
                guard let label, !random.chance(atOnce) else {
                    visit(node, object, inner, use: use)
                    continue
                }
                visit(node, object, inner, use: self.use(label, nodes[node].path, parent: use, isStream: false))
            case .field(let field):
                let key = JSONValue.PathComponent.key(field.key)
                switch PartsDocument.value(field.key, of: object, round: round) {
                case .null: _ = child(node, key, .leaf(.null), use: use)
                case .leaf(let json): _ = child(node, key, .leaf(json), use: use)
                case .object(let value):
                    visit(child(node, key, .object, use: use), value, field.selections ?? [], use: use)
                case .list(let items):
                    let list = child(node, key, .list, use: use)
                    for (index, item) in items.enumerated() {
                        var use = use
                        if let stream = field.stream, index >= stream.initialCount {
                            use = self.use(stream.label, nodes[list].path, parent: use, isStream: true)
                        }
                        guard let item else {
                            _ = child(list, .index(index), .leaf(.null), use: use)
                            continue
                        }
                        visit(child(list, .index(index), .object, use: use), item, field.selections ?? [], use: use)
                    }
                }
            }
        }
    }

    /// The JSON of a node, and of those nodes below it that are wanted.
    func json(_ number: Int, _ isWanted: (Int) -> Bool) -> JSONValue {
        let node = nodes[number]
        let children = node.children.filter(isWanted)
        switch node.content {
        case .leaf(let json): return json
        case .list: return .array(children.map { json($0, isWanted) })
        case .object:
            return .object(
                children.map { child in
                    guard case .key(let key) = nodes[child].key else { return .init("", .null) }
                    return .init(key, json(child, isWanted))
                })
        }
    }

    var whole: JSONValue { ["data": json(0) { _ in true }] }

    // MARK: - The older format

    /// The payloads of the older format: each part has all fields of its fragment.
    func flatPayloads() -> [JSONValue] {
        var elements: [JSONValue] = []
        for (number, use) in uses.enumerated().dropFirst() {
            func isWanted(_ node: Int) -> Bool { nodes[node].uses.contains(number) }
            guard let place = nodes.firstIndex(where: { $0.path == use.path }) else { continue }
            let label = JSONValue.Member("label", .string(use.label))
            if use.isStream {
                var items = nodes[place].children.filter(isWanted)
                while let first = items.first, case .index(let index) = nodes[first].key {
                    let count = 1 + random.below(items.count)
                    let path = use.path + [.index(index)]
                    elements.append(
                        .object([
                            label, .init("path", Self.json(path)),
                            .init("items", .array(items.prefix(count).map { json($0, isWanted) })),
                        ]))
                    items.removeFirst(count)
                }
            } else {
                elements.append(
                    .object([label, .init("path", Self.json(use.path)), .init("data", json(place, isWanted))]))
            }
        }
        var payloads: [JSONValue] = [["data": json(0) { nodes[$0].uses.contains(0) }, "hasNext": true]]
        elements.shuffle(using: &random)
        while !elements.isEmpty {
            let group = Array(elements.prefix(1 + random.below(elements.count)))
            elements.removeFirst(group.count)
            if group.count == 1, case .object(let members) = group[0] {
                payloads.append(.object(members + [.init("hasNext", true)]))
            } else {
                payloads.append(["incremental": .array(group), "hasNext": true])
            }
        }
        if random.chance(15) { payloads.shuffle(using: &random) }
        payloads.append(["hasNext": false])
        return payloads
    }

    fileprivate static func json(_ path: [JSONValue.PathComponent]) -> JSONValue {
        .array(
            path.map { component in
                switch component {
                case .key(let key): .string(key)
                case .index(let index): .int(index)
                }
            })
    }

    // MARK: - The current format

    /// The payloads of the current format: each value is sent once, with one of its fragments, and the values of a
    /// fragment come in any number of entries and payloads.
    func announcedPayloads() -> [JSONValue] {
        var sender = Sender(answer: self, random: random)
        return sender.payloads()
    }

    /// The uses with which a value may be sent. A use is left out if it lies within another one that has the value too.
    fileprivate func reduced(_ node: Int) -> Set<Int> {
        let all = nodes[node].uses
        if all.contains(0) { return [0] }
        return all.filter { use in
            var outer = uses[use].parent
            while outer != 0 {
                if all.contains(outer) { return false }
                outer = uses[outer].parent
            }
            return true
        }
    }

    private struct Sender {
        let answer: PartsAnswer
        var random: SeededGenerator
        private let reduced: [Set<Int>]
        private var announced: Set<Int> = [0]
        private var completed: Set<Int> = []

        init(answer: PartsAnswer, random: SeededGenerator) {
            self.answer = answer
            self.random = random
            reduced = answer.nodes.indices.map { answer.reduced($0) }
        }

        private func isSent(_ node: Int) -> Bool { answer.nodes[node].isSent }

        mutating func payloads() -> [JSONValue] {
            for (number, node) in answer.nodes.enumerated() { node.isSent = reduced[number] == [0] }
            let data = answer.json(0) { isSent($0) }
            var pending = announce(isBeginning: true)
            var payloads: [JSONValue] = []
            var first: [JSONValue.Member] = [.init("data", data)]
            if !pending.isEmpty { first.append(.init("pending", .array(pending))) }
            payloads.append(.object(first + [.init("hasNext", true)]))
            // A sender that would go on for ever stops here, with an incomplete response.
            while completed.count < announced.count - 1, payloads.count < 5_000 {
                var entries: [JSONValue] = []
                for _ in 0..<(1 + random.below(3)) { entries += send() }
                let ended = complete()
                pending = announce(isBeginning: false)
                var members: [JSONValue.Member] = []
                if !pending.isEmpty { members.append(.init("pending", .array(pending))) }
                if !entries.isEmpty { members.append(.init("incremental", .array(entries))) }
                if !ended.isEmpty { members.append(.init("completed", .array(ended))) }
                payloads.append(.object(members + [.init("hasNext", true)]))
            }
            payloads.append(["hasNext": false])
            return payloads
        }

        /// Whether all values of a use have been sent.
        private func isDone(_ use: Int) -> Bool {
            !answer.nodes.indices.contains { reduced[$0].contains(use) && !isSent($0) }
        }

        /// Announces uses whose objects were sent. A use without values of its own may stay unannounced.
        private mutating func announce(isBeginning: Bool) -> [JSONValue] {
            var pending: [JSONValue] = []
            for (number, use) in answer.uses.enumerated() where !announced.contains(number) {
                guard announced.contains(use.parent),
                    use.parent == 0 || completed.contains(use.parent) || random.chance(20),
                    let place = answer.nodes.firstIndex(where: { $0.path == use.path }), isSent(place)
                else { continue }
                announced.insert(number)
                if !answer.nodes.indices.contains(where: { reduced[$0].contains(number) }), random.chance(60) {
                    completed.insert(number)
                    continue
                }
                pending.append([
                    "id": .string("\(number)"), "label": .string(use.label), "path": PartsAnswer.json(use.path),
                ])
            }
            return pending
        }

        private mutating func complete() -> [JSONValue] {
            var ended: [JSONValue] = []
            for use in announced.subtracting(completed).sorted() where use != 0 && isDone(use) && random.chance(70) {
                completed.insert(use)
                ended.append(["id": .string("\(use)")])
            }
            return ended
        }

        /// Sends some values of one group of uses.
        private mutating func send() -> [JSONValue] {
            let open = answer.nodes.indices.filter { number in
                !isSent(number) && !reduced[number].isDisjoint(with: announced)
                    && answer.nodes[number].parent.map(isSent) == true
            }
            guard !open.isEmpty else { return [] }
            let uses = reduced[random.pick(open)]
            guard
                let use = uses.intersection(announced).max(by: {
                    (answer.uses[$0].path.count, $0) < (answer.uses[$1].path.count, $1)
                })
            else { return [] }
            var roots = open.filter { reduced[$0] == uses }
            if answer.uses[use].isStream {
                roots = Array(roots.prefix(1 + random.below(roots.count)))
                let items = roots.map { root in answer.json(root) { take($0, uses) } }
                for root in roots { answer.nodes[root].isSent = true }
                return [["id": .string("\(use)"), "items": .array(items)]]
            }
            let all = random.chance(40)
            roots = roots.filter { _ in all || random.chance(50) }
            var entries: [(parent: Int, members: [JSONValue.Member])] = []
            for root in roots {
                guard case .key(let key) = answer.nodes[root].key, let parent = answer.nodes[root].parent else {
                    continue
                }
                // All or some values of a new object come with the object. The items of a list always do.
                var random = random
                let json = answer.json(root) { node in
                    // An object does not come before its identity, nor a list before its items.
                    let isWhole =
                        switch answer.nodes[node].key {
                        case .index: true
                        case .key(let key): key == "id"
                        }
                    return (isWhole || all || random.chance(70)) && take(node, uses)
                }
                self.random = random
                answer.nodes[root].isSent = true
                if let index = entries.firstIndex(where: { $0.parent == parent }), self.random.chance(80) {
                    entries[index].members.append(.init(key, json))
                } else {
                    entries.append((parent, [.init(key, json)]))
                }
            }
            return entries.map { parent, members in
                let subPath = answer.nodes[parent].path.dropFirst(answer.uses[use].path.count)
                var entry: [JSONValue.Member] = [.init("id", .string("\(use)"))]
                if !subPath.isEmpty { entry.append(.init("subPath", PartsAnswer.json(Array(subPath)))) }
                return .object(entry + [.init("data", .object(members))])
            }
        }

        private func take(_ node: Int, _ uses: Set<Int>) -> Bool {
            guard reduced[node] == uses, !isSent(node) else { return false }
            answer.nodes[node].isSent = true
            return true
        }
    }
}
