import Testing

@testable import Baton

/// Updates that do unusual things.
@Suite struct AwkwardUpdateTests {
    private struct Refusal: Error {}

    private static func filled() throws -> Store {
        let store = Store()
        try store.land(
            .init(
                edges: ["1", "2"].map { (node: String) in .init(node, cursor: "c\(node)") },
                info: .init(start: "c1", end: "c2", hasPrevious: false, hasNext: false)), .init(first: 2))
        return store
    }

    private static func connection(_ records: RecordSourceProxy) throws -> ConnectionProxy {
        try #require(records.connection(on: records.root, key: TodoConnection.key))
    }

    @Test func cursorsThatNobodyHasAreTheEnds() throws {
        let store = try Self.filled()
        try store.update { records in
            let todos = try Self.connection(records)
            let (first, last) = try (records.create("0", type: "Todo"), records.create("3", type: "Todo"))
            #expect(try todos.insertEdge(todos.createEdge(node: last), after: "nobody's"))
            #expect(try todos.insertEdge(todos.createEdge(node: first), before: "nobody's"))
            #expect(todos.nodes.map { $0?.dataID } == ["0", "1", "2", "3"])
        }
    }

    @Test func anEdgeIsInsertedOnceAlsoWithoutANode() throws {
        let store = try Self.filled()
        try store.update { records in
            let todos = try Self.connection(records)
            let edge = try records.create("edge", type: "TodoEdge")
            #expect(try todos.insertEdge(edge))
            #expect(try !todos.insertEdge(edge))
            #expect(try todos.insertEdge(edge, before: nil, allowingRepetition: true))
            #expect(todos.count == 4)
            #expect(todos.nodes.map { $0?.dataID } == [nil, "1", "2", nil])
            let own = try todos.createEdge(node: #require(records.get("1")))
            #expect(try !todos.insertEdge(own))
            #expect(try todos.append(node: records.create("3", type: "Todo")))
            #expect(try todos.deleteNode("1") == 1)
            #expect(try todos.deleteNode("1") == 0)
            #expect(try todos.deleteNode("nobody") == 0)
        }
        #expect(store.checkInvariants() == [])
    }

    @Test func aConnectionThatWasDeletedRefusesEverything() throws {
        let store = try Self.filled()
        try store.update { records in
            let todos = try Self.connection(records)
            let node = try #require(records.get("1"))
            try records.delete(todos.dataID)
            #expect(records.connection(on: records.root, key: TodoConnection.key) == nil)
            #expect(records.connections(on: records.root, key: TodoConnection.key).isEmpty)
            #expect(records.connections(key: TodoConnection.key).isEmpty)
            #expect(throws: UpdateError.deleted(todos.dataID)) { try todos.append(node: node) }
            #expect(throws: UpdateError.deleted(todos.dataID)) { try todos.createEdge(node: node) }
            #expect(throws: UpdateError.deleted(todos.dataID)) { try todos.deleteNode("1") }
            #expect(todos.edges.isEmpty && todos.count == 0 && todos.endCursor == nil)
        }
        #expect(store.todos().data != nil && store.todos().data?.todos == nil)
        // The next response makes the connection anew.
        try store.land(.init(edges: [.init("7", cursor: "c7")], info: .init(end: "c7")), .init(first: 1))
        #expect(store.todos().data?.todos?.nodes == ["7"])
    }

    @Test func placesOutsideOfAListAreItsEnds() throws {
        let store = Store()
        try store.update { records in
            let list = records.root.field("list")
            let items = try (0..<4).map { try records.create(DataID("i\($0)"), type: "Item") }
            #expect(try !list.append(items[0]), "nobody knows what else belongs there")
            try list.setLinkedRecords([])
            #expect(try list.insert(items[0], at: .max))
            #expect(try list.insert(items[1], at: -7))
            #expect(try list.insert(items[2], at: .min))
            #expect(try list.insert(items[3], at: 2))
            #expect(list.linkedRecords?.map { $0?.dataID } == ["i2", "i1", "i3", "i0"])
            try list.setValue("no list")
            #expect(try !list.append(items[0]))
            #expect(try list.remove(items[0]) == 0)
            #expect(list.linkedRecords == nil)
        }
    }

    @Test func theRootIsAlwaysThere() throws {
        let store = Store()
        try store.update { records in
            #expect(throws: UpdateError.exists(.root)) { try records.create(.root, type: "Film") }
            #expect(throws: UpdateError.root) { try records.delete(.root) }
            try records.root.setValue(1, forField: "one")
        }
        #expect(store.checkInvariants() == [])
    }

    @Test func nothingIsMadeForARecordThatIsDeleted() throws {
        let store = Store()
        try store.update { records in
            let film = try records.create("1", type: "Film")
            try records.delete("1")
            #expect(throws: UpdateError.deleted("1")) {
                try film.getOrCreateLinkedRecord(forField: "part", type: "Part")
            }
            #expect(records.get("client:1:part") == nil)
        }
        #expect(!store.dump().contains("part"))
    }

    @Test func nothingStaysOfWhatAnUpdateDidBeforeItThrew() throws {
        let store = try Self.filled()
        let before = store.dump()
        #expect(throws: Refusal.self) {
            try store.update { records in
                let todos = try Self.connection(records)
                try todos.append(node: records.create("3", type: "Todo"))
                try records.delete("1", removingReferences: true)
                try records.get("2")?.invalidate()
                throw Refusal()
            }
        }
        #expect(store.dump() == before)
        // A layer that throws has no effect, and does not affect other layers.
        let failures = Guarded(0)
        let good = store.apply { try Self.connection($0).deleteNode("1") }
        let bad = store.apply(
            { records in
                try Self.connection(records).deleteNode("2")
                throw Refusal()
            }, failed: { _ in failures.withLock { $0 += 1 } })
        #expect(store.todos().data?.todos?.nodes == ["2"])
        #expect(failures.withLock { $0 } == 1)
        store.drop(good)
        store.drop(bad)
        #expect(store.dump() == before)
    }

    /// A deleted record reads as null, not as missing, as long as something links to it, as in Relay.
    @Test func aRecordThatWasDeletedAndCollectedStaysNullForAnOlderAnswer() throws {
        let store = Store()
        let operation = store.bind(Films.ListQuery())
        try store.update { try $0.create("1", type: "Film").setValue("1", forField: "id") }
        store.queryBegins(1)
        let staged = try store.normalize(
            Array(
                #"{"data":{"films":[{"id":"1","title":"T","favourite":true,"director":null}],"total":1}}"#.utf8),
            for: operation)
        try store.update { try $0.delete("1") }
        _ = store.collector.collectGarbage()
        store.publish(staged, for: operation, request: 1)
        store.queryEnds(1)
        let snapshot = store.read(Films.ListQuery.Data.self, at: operation.root, operation.reader)
        #expect(!snapshot.isMissingData)
        #expect(snapshot.data?.films.count == 1)
        #expect(store.check(operation).isAvailable)
        #expect(store.checkInvariants() == [])
    }

    @Test func numbersThatJSONDoesNotKnowDoNoHarm() throws {
        let store = Store()
        try store.update { records in
            try records.root.setValue(.double(.nan), forField: "nan")
            try records.root.setValue(.double(.infinity), forField: "infinity")
            try records.root.setValue([.double(-.infinity)], forField: "list")
            _ = records.root.field("f", arguments: ["n": .double(.nan)])
        }
        #expect(!store.dump().isEmpty)
    }
}
