import Testing

@testable import Baton

/// Among many layers on the same records only those run again that depend on the change, each once.
@Suite(.timeLimit(.minutes(20))) struct ManyLayersTests {
    private let store = Store()
    /// The number of runs of each layer.
    private let runs = Runs()

    private final class Runs: Sendable {
        private let counts = Guarded<[Int: Int]>([:])

        func add(_ index: Int) { counts.withLock { $0[index, default: 0] += 1 } }

        func take() -> [Int: Int] {
            counts.withLock { counts in
                defer { counts = [:] }
                return counts
            }
        }
    }

    private func start() throws {
        try store.update { store in
            let item = try store.create("item", type: "R")
            try item.setValue(0, forField: "n")
            try item.setLinkedRecords([], forField: "list")
            for index in 0..<20 { try store.create(DataID("new\(index)"), type: "R") }
        }
    }

    private func apply(
        _ index: Int, _ body: @escaping @Sendable (RecordSourceProxy) throws -> Void
    ) -> LayerID {
        store.apply { [runs] source in
            runs.add(index)
            try body(source)
        }
    }

    private func insert(_ index: Int) -> LayerID {
        apply(index) { source in
            guard let item = source.get("item"), let new = source.get(DataID("new\(index)")) else { return }
            try item.append(new, toList: "list")
        }
    }

    private var list: [String]? {
        let item = store.contents(of: "item")
        guard case .links(let links)? = item?.fields.first(where: { $0.key == "list" })?.value else { return nil }
        return links.map { store.dataID(of: $0).rawValue }
    }

    private func takeRuns() -> [Int: Int] { runs.take() }

    @Test func layersThatOnlyWriteAFieldDoNotRunAgain() throws {
        try start()
        let layers = (0..<10).map { index in
            apply(index) { try $0.get("item")?.setValue(.int(index + 1), forField: "n") }
        }
        #expect(takeRuns() == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, 1) }))
        #expect(try store.number("item", "n") == 10)
        for index in [0, 4, 5] { store.drop(layers[index]) }
        try store.update { try $0.get("item")?.setValue(77, forField: "n") }
        #expect(try store.number("item", "n") == 10)
        store.drop(layers[9])
        #expect(try store.number("item", "n") == 9)
        store.drop(Array(layers[1...]))
        #expect(try store.number("item", "n") == 77)
        #expect(takeRuns().isEmpty)
        #expect(store.records.covered.isEmpty)
    }

    @Test func insertsIntoOneListRunAgainOnceWhenAnOlderOneGoes() throws {
        try start()
        let layers = (0..<8).map(insert)
        #expect(list == (0..<8).map { "new\($0)" })
        _ = takeRuns()
        store.drop(layers[7])
        #expect(takeRuns().isEmpty)
        store.drop([layers[1], layers[4], layers[2]])
        #expect(takeRuns() == [3: 1, 5: 1, 6: 1])
        #expect(list == ["new0", "new3", "new5", "new6"])
        try store.update { source in
            guard let item = source.get("item"), let new = source.get("new9") else { return }
            try item.append(new, toList: "list")
        }
        #expect(takeRuns() == [0: 1, 3: 1, 5: 1, 6: 1])
        #expect(list == ["new9", "new0", "new3", "new5", "new6"])
        store.drop([layers[0], layers[3], layers[5], layers[6]])
        #expect(takeRuns().isEmpty)
        #expect(list == ["new9"])
    }

    @Test func everyNewerInsertRunsAgainOnceWhenTheOldestGoes() throws {
        try start()
        try store.update { source in
            try source.root.setLinkedRecords([], forField: "list")
            for index in 0..<200 { try source.create(DataID("more\(index)"), type: "R") }
        }
        let layers = (0..<200).map { index in
            apply(index) { source in
                guard let new = source.get(DataID("more\(index)")) else { return }
                try source.root.append(new, toList: "list")
            }
        }
        _ = takeRuns()
        store.drop(layers[0])
        #expect(takeRuns() == Dictionary(uniqueKeysWithValues: (1..<200).map { ($0, 1) }))
        #expect(store.checkInvariants().isEmpty)
        store.drop(layers.filter { $0.number % 2 == 1 })
        #expect(store.checkInvariants().isEmpty)
        store.drop(layers)
        #expect(store.records.covered.isEmpty)
    }

    /// A layer between two writers of a field is affected only by the lower one.
    @Test func aChangeGoesUpToTheNextWriter() throws {
        try start()
        let low = apply(0) { try $0.get("item")?.setValue(1, forField: "n") }
        let between = apply(1) { source in
            guard let item = source.get("item"), let n = item.value(forField: "n") else { return }
            try item.setValue(n, forField: "copy")
        }
        _ = apply(2) { try $0.get("item")?.setValue(2, forField: "n") }
        _ = apply(3) { source in
            guard let item = source.get("item"), let n = item.value(forField: "n") else { return }
            try item.setValue(n, forField: "other")
        }
        _ = takeRuns()
        store.replace(low, with: { try $0.get("item")?.setValue(5, forField: "n") })
        #expect(takeRuns() == [1: 1])
        #expect(try store.number("item", "copy") == 5)
        #expect(try store.number("item", "other") == 2)
        // No layer reads the copied field any more, and the base equals the dropped layer.
        store.drop(between)
        try store.update { try $0.get("item")?.setValue(5, forField: "n") }
        store.drop(low)
        #expect(takeRuns().isEmpty)
    }

    /// A deletion hides the record below. A layer that no longer finds a record has no effect on it.
    @Test func existenceIsReadLikeAField() throws {
        try start()
        let deleting = apply(0) { try $0.delete("item") }
        let late = apply(1) { source in
            guard let item = source.get("item") else { return }
            try item.setValue(3, forField: "n")
        }
        #expect(takeRuns() == [0: 1, 1: 1])
        store.drop(deleting)
        #expect(takeRuns() == [1: 1])
        #expect(try store.number("item", "n") == 3)
        try store.update { try $0.delete("item") }
        #expect(takeRuns() == [1: 1])
        try store.update { try $0.create("item", type: "S").setValue(1, forField: "n") }
        #expect(takeRuns() == [1: 1])
        #expect(try store.number("item", "n") == 3)
        store.drop(late)
        #expect(try store.number("item", "n") == 1)
    }

    @Test func severalChangesAreTakenBackInOnePublish() throws {
        let stage = Stage()
        let environment = stage.environment
        try environment.update { try $0.create("item", type: "R").setValue(0, forField: "n") }
        let updates = (1...4).map { index in
            environment.applyUpdate { try $0.get("item")?.setValue(.int(index), forField: "n") }
        }
        stage.log.clear()
        updates[1].revert()
        environment.revert(updates[1...])
        #expect(stage.log.publishes.map(\.recordsChanged) == [0, 1])
        #expect(try environment.store.number("item", "n") == 1)
        environment.revert([])
        environment.revert(updates)
        environment.revert(updates)
        #expect(stage.log.publishes.count == 3)
        #expect(try environment.store.number("item", "n") == 0)
    }
}

extension Store {
    fileprivate func number(_ id: DataID, _ field: String) throws -> Int? {
        let record = try #require(self.record(id))
        guard case .int(let value)? = records.value(names.key(field), of: record) else { return nil }
        return value
    }
}
