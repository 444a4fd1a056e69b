import Foundation
import RandomCases
import Testing

@testable import Baton

/// Updates and answers that overlap on one connection: none of them undoes the changes of another.
@Suite(.timeLimit(.minutes(20))) struct OverlappingUpdateTests {
    typealias Edge = TodoConnection.Edge
    typealias Page = TodoConnection.Page

    private static let mutation = GeneratedCode.OperationArtifact(
        name: "Add", kind: .mutation, text: "",
        normalization:
            "(after){add:Int todos(after:$after,first:1):TodoConnection@connection(\"TodoList_todos\"){edges:[TodoEdge]{cursor:String node:+Todo{id:ID! text:String}} pageInfo:PageInfo{endCursor:String hasNextPage:Boolean hasPreviousPage:Boolean startCursor:String}}}",
        reader: "(after){add:Int}")

    private static func filled(_ nodes: [String] = ["0"]) throws -> Store {
        let store = Store()
        try store.land(page(nodes), .init(first: 1))
        return store
    }

    private static func page(_ nodes: [String]) -> Page {
        // Every page has the end cursor of the connection, so each is the rest of it.
        Page(edges: nodes.map { Edge($0, cursor: "end") }, info: .init(start: nodes.first, end: "end", hasNext: true))
    }

    private static func nodes(_ store: Store) -> [String] {
        store.todos().data?.todos?.nodes.compactMap { $0 } ?? []
    }

    private static func append(_ node: String, _ store: Store) throws {
        try store.update { try append(node, in: $0) }
    }

    // MARK: - In a fixed order

    @Test func anUpdateThatWasOvertakenRunsAgain() throws {
        let store = try Self.filled()
        var runs = 0
        try store.update { records in
            let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
            let count = connection.count
            runs += 1
            // This runs on another thread.
            if runs == 1 { Self.onAnotherThread { try? Self.append("1", store) } }
            #expect(count == runs)
            try connection.append(node: records.create("2", type: "Todo"))
        }
        #expect(runs == 2)
        #expect(store.todos().data?.todos?.edges?.count == 3)
        #expect(store.checkInvariants() == [])
    }

    @Test func whatAnUpdateDidNotReadMayChange() throws {
        let store = try Self.filled(["0", "1"])
        var runs = 0
        try store.update { records in
            runs += 1
            try records.get("0")?.setValue("mine", forField: "text")
            Self.onAnotherThread {
                _ = try? store.update {
                    try $0.get("0")?.setValue("theirs", forField: "note")
                    try $0.get("1")?.setValue("theirs", forField: "text")
                }
            }
        }
        #expect(runs == 1)
        try store.update { records in
            #expect(records.get("0")?.value(forField: "text") == "mine")
            #expect(records.get("0")?.value(forField: "note") == "theirs")
        }
    }

    @Test func anUpdateRunsAgainWhenWhatItMissedHasCome() throws {
        let store = try Self.filled()
        var found: [Bool] = []
        try store.update { records in
            found.append(records.get("late") != nil)
            if found.count == 1 {
                Self.onAnotherThread { _ = try? store.update { _ = try $0.create("late", type: "Todo") } }
            }
            try records.root.setValue(.bool(found.last == true), forField: "isLate")
        }
        #expect(found == [false, true])
    }

    @Test func whatAnUpdatePublishesItselfDoesNotMakeItRunAgain() throws {
        let store = try Self.filled()
        var runs = 0
        try store.update { records in
            runs += 1
            let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
            #expect(connection.count == 1)
            try store.update { inner in
                try inner.get("0")?.setValue(.int(runs), forField: "count")
                try store.update { try $0.root.setValue("inner", forField: "note") }
            }
            try records.get("0")?.setValue("outer", forField: "text")
            #expect(records.get("0")?.value(forField: "count") == nil)
            #expect(records.root.value(forField: "note") == nil)
        }
        #expect(runs == 1)
        // A field that another publish changes in between makes the update run again.
        runs = 0
        try store.update { records in
            runs += 1
            let count = records.get("0")?.value(forField: "other")
            if runs == 1 {
                Self.onAnotherThread { _ = try? store.update { try $0.get("0")?.setValue(7, forField: "other") } }
            }
            try store.update { try $0.get("0")?.setValue(.int(runs), forField: "other") }
            try records.get("0")?.setValue(count ?? nil, forField: "seen")
        }
        #expect(runs == 2)
    }

    /// Only the update knows the record, and a collection removes it while the update runs.
    @Test func anUpdateDoesNotLinkToWhatWasCollectedMeanwhile() throws {
        let store = Store()
        let operation = store.bind(Films.ListQuery())
        try store.update { records in
            let lost = try records.create("lost", type: "Film")
            try lost.setValue("kept?", forField: "title")
            try records.create("found", type: "Film").setLinkedRecord(lost, forField: "next")
        }
        var found: [Bool] = []
        try store.update { records in
            let lost = records.get("lost")
            found.append(lost != nil)
            if found.count == 1 { Self.onAnotherThread { _ = store.collector.collectGarbage() } }
            try records.root.setLinkedRecords([lost], forField: "films")
            try records.root.setValue(1, forField: "total")
        }
        #expect(found == [true, false])
        let data = store.read(Films.ListQuery.Data.self, at: operation.root, operation.reader)
        #expect(!data.isMissingData)
        #expect(store.checkInvariants() == [])
        // The same holds for an optimistic change.
        let kept = try store.update { try $0.create("kept", type: "Film").dataID }.0
        let runs = Guarded(0)
        let layer = store.apply { records in
            let film = records.get(kept)
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1 { Self.onAnotherThread { _ = store.collector.collectGarbage() } }
            try records.root.setLinkedRecords([film], forField: "films")
            try records.root.setValue(1, forField: "total")
        }
        #expect(runs.withLock { $0 } > 1)
        #expect(!store.read(Films.ListQuery.Data.self, at: operation.root, operation.reader).isMissingData)
        store.drop(layer)
    }

    @Test func anUpdateThatIsAlwaysOvertakenComesToAnEnd() throws {
        let store = try Self.filled()
        var runs = 0
        try store.update { records in
            runs += 1
            let old = records.root.value(forField: "count")
            let count = runs
            Self.onAnotherThread { _ = try? store.update { try $0.root.setValue(.int(count), forField: "count") } }
            try records.root.setValue(old ?? nil, forField: "seen")
        }
        #expect((2...256).contains(runs))
    }

    /// Runs the body on another thread and waits for it.
    private static func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }
        .start()
        done.wait()
    }

    // MARK: - Concurrently

    /// Updates, updaters of mutations that also bring a page, and answers that bring a page.
    @Test(arguments: RandomCases.seeds(4)) func noEdgeIsLostAndNoneIsThereTwice(_ seed: Int) async throws {
        let store = try Self.filled()
        let (threads, rounds) = (4, 40)
        let layer = seed % 2 == 0 ? nil : store.apply { try $0.root.setValue("shown", forField: "note") }
        let covering = seed < 2 ? nil : store.apply { try Self.append("expected", in: $0) }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(seed * threads + thread))
                    for round in 0..<rounds {
                        let node = "\(thread)-\(round)"
                        do {
                            switch Int.random(in: 0..<3, using: &generator) {
                            case 0: try store.update { try Self.append(node, in: $0) }
                            case 1: try store.land(Self.page([node]), .init(first: 1, after: "end"))
                            default: try Self.add(node, store)
                            }
                            // Appends the node again, and counts in a field that all tasks share.
                            try store.update { records in
                                try Self.append(node, in: records)
                                var count = 0
                                if case .int(let known)? = records.root.value(forField: "count") { count = known }
                                try records.root.setValue(.int(count + 1), forField: "count")
                            }
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        for layer in [layer, covering] { if let layer { store.drop(layer) } }
        let expected = (0..<threads).flatMap { thread in (0..<rounds).map { "\(thread)-\($0)" } } + ["0"]
        #expect(Self.nodes(store).sorted() == expected.sorted())
        try store.update { #expect($0.root.value(forField: "count") == .int(threads * rounds)) }
        #expect(store.checkInvariants() == [])
    }

    /// Many slow updates of one field: each is overtaken often, and none is lost.
    @Test func slowUpdatesAllCount() async throws {
        let store = try Self.filled()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    for round in 0..<30 {
                        _ = try? store.update { records in
                            var count = 0
                            if case .int(let known)? = records.root.value(forField: "count") { count = known }
                            if round % 3 == 0 { for _ in 0..<200 { sched_yield() } }
                            try records.root.setValue(.int(count + 1), forField: "count")
                        }
                    }
                }
            }
        }
        try store.update { #expect($0.root.value(forField: "count") == 180) }
    }

    private static func append(_ node: String, in records: RecordSourceProxy) throws {
        let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
        let todo = try records.get(DataID(node)) ?? records.create(DataID(node), type: "Todo")
        try todo.setValue(.string(node), forField: "id")
        try connection.append(node: todo)
    }

    /// Lands a mutation that brings no page and whose updater adds a node. A connection below the mutation's own root
    /// is another connection.
    private static func add(_ node: String, _ store: Store) throws {
        let operation = store.bind(mutation, variables: .object([]))
        let body = Array(#"{"data":{"add":1,"todos":null}}"#.utf8)
        try store.publish(try store.normalize(body, for: operation), for: operation) { try append(node, in: $0) }
    }
}
