import RandomCases
import Testing

@testable import Baton

/// Random pages and updates of connections, compared with arrays.
@Suite struct ConnectionModelTests {
    private struct Run {
        typealias Edge = TodoConnection.Edge

        let store = Store()
        var model = ConnectionModel()
        var generator: SeededGenerator
        /// The server's nodes by the filter, in order.
        var server: [String: [String]] = ["": [], "a": [], "b": []]
        var log: [String] = []
        var made = 0

        init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed) &+ 77) }

        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        mutating func kind() -> String { ["", "", "a", "b"][below(4)] }

        mutating func node() -> String { "n\(below(24))" }

        // MARK: - The server

        mutating func changeServer() {
            let kind = kind()
            let node = node()
            var nodes = server[kind] ?? []
            if let position = nodes.firstIndex(of: node) {
                nodes.remove(at: position)
            } else {
                nodes.insert(node, at: below(nodes.count + 1))
            }
            server[kind] = nodes
        }

        /// Returns the page for some arguments. Some pages have content that no server should send.
        mutating func page(_ arguments: TodoConnection.Arguments) -> TodoConnection.Page? {
            if chance(3) { return nil }
            let all = server[arguments.kind ?? ""] ?? []
            var range = 0..<all.count
            if let after = arguments.after, let position = all.firstIndex(of: after) {
                range = position + 1..<all.count
            }
            if let before = arguments.before, let position = all.firstIndex(of: before) {
                range = range.lowerBound..<max(position, range.lowerBound)
            }
            if let first = arguments.first { range = range.prefix(first) }
            if let last = arguments.last { range = range.suffix(last) }
            var edges: [Edge?] = all[range].map { Edge($0, cursor: $0) }
            let info = TodoConnection.Info(
                start: range.isEmpty ? nil : all[range.lowerBound],
                end: range.isEmpty ? nil : all[range.upperBound - 1],
                hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < all.count)
            if chance(8), !edges.isEmpty { edges.insert(nil, at: below(edges.count)) }
            if chance(8) { edges.insert(Edge(nil, cursor: "null"), at: below(edges.count + 1)) }
            if chance(8) { edges.append(Edge(node(), cursor: "again")) }
            return .init(edges: chance(3) ? nil : edges, total: all.count, info: chance(4) ? nil : info)
        }

        mutating func fetch() throws {
            var arguments = TodoConnection.Arguments()
            let kind = kind()
            if !kind.isEmpty { arguments.kind = kind }
            let info = model.connections[kind]?.info
            let count = 1 + below(4)
            switch below(10) {
            case 0: arguments.first = count
            case 1: arguments.last = count
            case 2, 3, 4, 5:
                arguments.first = count
                arguments.after = info?.end
            case 6, 7:
                arguments.last = count
                arguments.before = info?.start
            case 8:
                arguments.first = count
                arguments.after = node()
            default:
                arguments.last = count
                arguments.before = node()
            }
            let page = page(arguments)
            log.append("land \(arguments) \(page.map { "\($0.nodes)" } ?? "null")")
            try store.land(page, arguments)
            model.land(page, arguments)
        }

        // MARK: - Updates

        private func filters(_ kind: String) -> [String: JSONValue] { kind.isEmpty ? [:] : ["kind": .string(kind)] }

        private func record(_ node: String, _ records: RecordSourceProxy) throws -> RecordProxy {
            if let known = records.get(DataID(node)) { return known }
            let record = try records.create(DataID(node), type: "Todo")
            try record.setValue(.string(node), forField: "id")
            try record.setValue("made here", forField: "text")
            return record
        }

        mutating func update() throws {
            let (kind, node, choice) = (kind(), node(), below(9))
            log.append("update \(choice) \(node) in '\(kind)'")
            var order = generator
            var model = model
            try store.update { records in
                let root = records.root
                guard let connection = records.connection(on: root, key: TodoConnection.key, filters: filters(kind))
                else {
                    #expect(model.connections[kind].map { $0.isNull } ?? true)
                    return
                }
                #expect(connection.filters == filters(kind))
                #expect(
                    connection.contains(DataID(node)) == model.contains(node, kind), "\(node) in \(connection.dataID)")
                switch choice {
                case 0:
                    #expect(try connection.append(node: record(node, records)) == !model.contains(node, kind))
                    model.insert(node, kind) { $0.count }
                    model.deleted.remove(node)
                case 1:
                    try connection.prepend(node: record(node, records), edgeType: "TodoEdge")
                    model.insert(node, kind) { _ in 0 }
                    model.deleted.remove(node)
                case 2:
                    let edge = try connection.createEdge(node: record(node, records))
                    try connection.insertEdge(edge, after: "n3")
                    model.insert(node, kind) { edges in
                        edges.firstIndex { $0?.cursor == "n3" }.map { $0 + 1 } ?? edges.count
                    }
                    model.deleted.remove(node)
                case 3:
                    let edge = try connection.createEdge(node: record(node, records))
                    try connection.insertEdge(edge, before: "n4")
                    model.insert(node, kind) { edges in edges.firstIndex { $0?.cursor == "n4" } ?? 0 }
                    model.deleted.remove(node)
                case 4:
                    let count = model.connections[kind]?.edges?.count ?? 0
                    let gone = try connection.deleteNode(DataID(node))
                    model.deleteNode(node, kind)
                    #expect(gone == count - (model.connections[kind]?.edges?.count ?? 0))
                case 5:
                    try records.delete(DataID(node))
                    model.deleted.insert(node)
                case 6:
                    try records.delete(DataID(node), removingReferences: true)
                    model.deleted.insert(node)
                    model.removeReferences(to: node)
                case 7:
                    // The edges are set by hand, without the functions for connections.
                    var edges = connection.edges.enumerated().map { ($0, $1) }
                    edges.shuffle(using: &order)
                    try connection.record.setLinkedRecords(edges.map { $1 }, forField: "edges")
                    let old = model.connections[kind]?.edges ?? []
                    model.connections[kind]?.edges = edges.map { old[$0.0] }
                default:
                    for connection in records.connections(on: root, key: TodoConnection.key) {
                        try connection.append(node: record(node, records))
                    }
                    for kind in model.connections.keys where model.connections[kind]?.isNull == false {
                        model.insert(node, kind) { $0.count }
                    }
                    model.deleted.remove(node)
                }
                #expect(connection.nodes.map { $0?.dataID.rawValue } == (model.seen(kind)?.nodes ?? []))
            }
            generator = order
            self.model = model
        }

        func check() -> Bool {
            server.keys.allSatisfy { kind in
                let snapshot = store.todos(kind: kind.isEmpty ? nil : kind)
                let isSame = snapshot.data?.todos == model.seen(kind)
                #expect(
                    isSame,
                    "'\(kind)' \(String(describing: snapshot.data?.todos)) \(String(describing: model.seen(kind)))")
                return isSame
            }
        }
    }

    @Test(arguments: RandomCases.seeds(20)) func connectionsAreWhatTheRulesSay(_ seed: Int) throws {
        var run = Run(seed: seed)
        for _ in 0..<20 { run.changeServer() }
        for _ in 0..<120 {
            switch run.below(10) {
            case 0, 1: run.changeServer()
            case 2, 3, 4: try run.update()
            default: try run.fetch()
            }
            guard run.check() else {
                Issue.record("\(run.log.suffix(12).joined(separator: "\n"))")
                return
            }
        }
    }
}
