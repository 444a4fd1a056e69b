import Baton
import RandomCases

/// An edit of connections in an update, for the store and for the model.
enum ConnectionEdit {
    typealias Place = ModelConnections.Place
    typealias Cursor = ModelConnections.Cursor

    case insert(Place, String, Cursor, atStart: Bool)
    case deleteNode(Place, String)
    case delete(String, removingReferences: Bool)
    case set(String, Int)
    case create(String, Int)
    /// Sets the node of an edge to another node.
    case lead(Place, Int, String)
    case cursor(Place, Int, String?)
    /// Inserts the same edge a second time.
    case again(Place, Int)
    case copy(Place, Int, to: Place, atStart: Bool)

    static let nodes = ["a", "b", "c", "d", "e", "f", "g"]
    static let cursors = (0..<6).map { "c\($0)" }

    /// A few edits, chosen by the seed.
    static func some(_ seed: UInt64) -> [ConnectionEdit] {
        var generator = SeededGenerator(seed: seed)
        return (0..<(1 + generator.below(4))).map { _ in one(&generator) }
    }

    private static func one(_ generator: inout SeededGenerator) -> ConnectionEdit {
        let (place, node) = (generator.pick(Place.all), generator.pick(nodes))
        let (index, text) = (generator.below(5), generator.pick(cursors))
        switch generator.below(16) {
        case 0, 1: return .insert(place, node, .none, atStart: false)
        case 2, 3: return .insert(place, node, .none, atStart: true)
        case 4: return .insert(place, node, .after(text), atStart: false)
        case 5: return .insert(place, node, .before(text), atStart: true)
        case 6, 7: return .deleteNode(place, node)
        case 8: return .delete(node, removingReferences: false)
        case 9: return .delete(node, removingReferences: true)
        case 10: return .set(node, generator.below(4))
        case 11: return .create(node, generator.below(4))
        case 12: return .lead(place, index, node)
        case 13: return .cursor(place, index, generator.chance(20) ? nil : text)
        case 14: return generator.chance(40) ? .again(place, index) : .set(node, generator.below(4))
        default: return .copy(place, index, to: generator.pick(Place.all), atStart: generator.chance(50))
        }
    }

    // MARK: - In the model

    /// Performs the edit. Returns 1 or 0 for an edit with or without effect, or the number of its effects.
    func run(on state: inout ModelConnections) -> Int {
        switch self {
        case .insert(let place, let node, let cursor, let atStart):
            return state.insert(node, at: place, cursor, atStart: atStart) ? 1 : 0
        case .deleteNode(let place, let node): return state.deleteNode(node, at: place)
        case .delete(let node, let removingReferences):
            guard state.exists(node) else { return 0 }
            state.delete(node, removingReferences: removingReferences)
            return 1
        case .set(let node, let number):
            guard state.exists(node) else { return 0 }
            state.nodes[node] = number
            return 1
        case .create(let node, let number):
            guard !state.exists(node) else { return 0 }
            state.nodes[node] = number
            state.deleted.remove(node)
            return 1
        case .lead(let place, let index, let node):
            guard state.exists(node) else { return 0 }
            return state.change(index, at: place) { $0.node = node } ? 1 : 0
        case .cursor(let place, let index, let text):
            return state.change(index, at: place) { $0.cursor = text } ? 1 : 0
        case .again(let place, let index): return state.again(index, at: place) ? 1 : 0
        case .copy(let from, let index, let place, let atStart):
            guard let edges = state[from]?.edges, edges.indices.contains(index), let edge = edges[index] else {
                return 0
            }
            return state.add(node: edge.node, cursor: edge.cursor, at: place, atStart: atStart) ? 1 : 0
        }
    }

    // MARK: - In the store

    private static func connection(_ place: Place, _ source: RecordSourceProxy) -> ConnectionProxy? {
        guard let parent = place.parent == "client:root" ? source.root : source.get(DataID(place.parent)) else {
            return nil
        }
        return source.connection(on: parent, key: "K", filters: place.filters)
    }

    private static func edge(_ place: Place, _ index: Int, _ source: RecordSourceProxy) -> RecordProxy? {
        guard let edges = connection(place, source)?.edges, edges.indices.contains(index) else { return nil }
        return edges[index]
    }

    func run(on source: RecordSourceProxy) throws -> Int {
        switch self {
        case .insert(let place, let id, let cursor, let atStart):
            guard let connection = Self.connection(place, source), let node = source.get(DataID(id)) else { return 0 }
            switch cursor {
            case .none:
                return try atStart ? connection.prepend(node: node) ? 1 : 0 : connection.append(node: node) ? 1 : 0
            case .after(let text):
                return try connection.insertEdge(connection.createEdge(node: node), after: text) ? 1 : 0
            case .before(let text):
                return try connection.insertEdge(connection.createEdge(node: node), before: text) ? 1 : 0
            }
        case .deleteNode(let place, let id): return try Self.connection(place, source)?.deleteNode(DataID(id)) ?? 0
        case .delete(let id, let removingReferences):
            guard source.get(DataID(id)) != nil else { return 0 }
            try source.delete(DataID(id), removingReferences: removingReferences)
            return 1
        case .set(let id, let number):
            guard let node = source.get(DataID(id)) else { return 0 }
            try node.setValue(.int(number), forField: "i0")
            return 1
        case .create(let id, let number):
            guard source.get(DataID(id)) == nil else { return 0 }
            let node = try source.create(DataID(id), type: "N0")
            try node.setValue(.string(id), forField: "id")
            try node.setValue(.int(number), forField: "i0")
            return 1
        case .lead(let place, let index, let id):
            guard let node = source.get(DataID(id)), let edge = Self.edge(place, index, source) else { return 0 }
            try edge.setLinkedRecord(node, forField: "node")
            return 1
        case .cursor(let place, let index, let text):
            guard let edge = Self.edge(place, index, source) else { return 0 }
            try edge.setValue(text.map { .string($0) } ?? .null, forField: "cursor")
            return 1
        case .again(let place, let index):
            guard let edge = Self.edge(place, index, source) else { return 0 }
            return try Self.connection(place, source)?.insertEdge(edge, allowingRepetition: true) == true ? 1 : 0
        case .copy(let from, let index, let place, let atStart):
            guard let edge = Self.edge(from, index, source), let connection = Self.connection(place, source) else {
                return 0
            }
            return try atStart ? connection.prepend(edge: edge) ? 1 : 0 : connection.append(edge: edge) ? 1 : 0
        }
    }
}
