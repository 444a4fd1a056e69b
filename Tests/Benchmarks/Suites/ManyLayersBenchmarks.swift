import Baton

/// The cost of a layer among many layers.
struct ManyLayersBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        let figures = ["optimistic.layers-growth", "optimistic.layers-us", "optimistic.oldest-first-us"]
        guard figures.contains(where: options.wants) else { return }
        let pile = try LayerPile()
        let count = options.quick ? 1_000 : 3_000
        var worst: (ratio: Measurement, of: String)?
        for kind in LayerPile.Kind.allCases {
            for order in [LayerPile.Order.newestFirst, .together] {
                let found = ratio(
                    runs: options.runs(7), of: { pile.cost(kind, order, count) },
                    to: { (0..<5).map { _ in pile.cost(kind, order, 100) }.sorted()[2] })
                if found.median > worst?.ratio.median ?? 0 { worst = (found, "\(kind.rawValue), \(order.rawValue)") }
            }
        }
        if let worst {
            report.figure(
                "optimistic.layers-growth", unit: "x", target: 1.5, better: .lower,
                "a layer added and taken back among \(count) against one among 100; the worst: \(worst.of)"
            ) { worst.ratio }
        }
        for kind in LayerPile.Kind.allCases {
            report.figure(
                "optimistic.layers-us-\(kind.rawValue)", unit: "us", better: .lower,
                "a layer added and taken back, the newest first, among \(count): \(kind.note)"
            ) { Measurement((0..<options.runs(5)).map { _ in pile.cost(kind, .newestFirst, count) * 1e6 }) }
        }
        report.figure(
            "optimistic.oldest-first-us", unit: "us", better: .lower,
            "a layer added and taken back, the oldest first, among \(count) that write one field"
        ) { Measurement((0..<options.runs(3)).map { _ in pile.cost(.scalars, .oldestFirst, count) * 1e6 }) }
        report.figure(
            "optimistic.oldest-first-us-list", unit: "us", better: .lower,
            "the same, of 100 inserts into one list: whoever inserted later does so again"
        ) { Measurement((0..<options.runs(3)).map { _ in pile.cost(.list, .oldestFirst, 100) * 1e6 }) }
    }
}

/// A store with many layers.
private final class LayerPile {
    enum Kind: String, CaseIterable {
        case scalars
        case list
        case connection
        case disjoint

        var note: String {
            switch self {
            case .scalars: "all write one field"
            case .list: "each adds a record to one list of 3,000"
            case .connection: "each adds a record to one connection of 3,000 edges"
            case .disjoint: "each writes another record"
            }
        }
    }

    enum Order: String {
        case newestFirst = "the newest first"
        case oldestFirst = "the oldest first"
        case together = "in one publish"
    }

    private let environment: RelayEnvironment
    private static let items = 3_000
    /// Prevents collections, because no query retains the records.
    private let hold: CollectionHold

    init() throws {
        environment = RelayEnvironment(network: Silence())
        hold = environment.holdCollection()
        try environment.update { store in
            let all = try (0..<Self.items).map { try store.create(DataID("item-\($0)"), type: "Item") }
            for item in all { try item.setValue(0, forField: "n") }
            try store.create("one", type: "Item").setValue(0, forField: "n")
            try store.root.setLinkedRecords(all, forField: "items")
            let id = store.connectionID(on: store.root, key: "Items")
            let connection = try store.create(id, type: "ItemConnection")
            try store.root.setLinkedRecord(connection, forField: "__Items_connection")
            guard let proxy = store.connection(id) else { throw BenchmarkFailure(what: "there is no connection") }
            for item in all { try proxy.append(node: item) }
            for index in 0..<Self.items { try store.create(DataID("new-\(index)"), type: "Item") }
        }
    }

    private func add(_ kind: Kind, _ index: Int) -> OptimisticLayer {
        environment.applyUpdate { store in
            switch kind {
            case .scalars: try store.get("one")?.setValue(.int(index + 1), forField: "n")
            case .disjoint: try store.get(DataID("item-\(index)"))?.setValue(.int(index + 1), forField: "n")
            case .list:
                guard let new = store.get(DataID("new-\(index)")) else { return }
                try store.root.append(new, toList: "items")
            case .connection:
                guard let new = store.get(DataID("new-\(index)")) else { return }
                try store.connection(on: store.root, key: "Items")?.append(node: new)
            }
        }
    }

    /// The time for each of `count` layers, in seconds.
    func cost(_ kind: Kind, _ order: Order, _ count: Int) -> Double {
        processorTime {
            var updates: [OptimisticLayer] = []
            updates.reserveCapacity(count)
            for index in 0..<count { updates.append(add(kind, index)) }
            switch order {
            case .newestFirst: for update in updates.reversed() { update.revert() }
            case .oldestFirst: for update in updates { update.revert() }
            case .together: environment.revert(updates)
            }
        } / Double(count)
    }
}

/// A network that never answers.
private struct Silence: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw BenchmarkFailure(what: "a request was sent")
    }
}
