import Foundation
import Testing

@testable import Baton

/// Layers with expected answers, and layers of many threads.
@Suite(.timeLimit(.minutes(20))) struct LayerTests {
    private static let plan = "{add:Payload{count:Int item:+*Node{id:ID! <*Named>{name:String}}}}"
    private static let mutation = GeneratedCode.OperationArtifact(
        name: "Add", kind: .mutation, text: "", normalization: plan, reader: plan)

    @Test func anExpectedAnswerHasItsRootAndRecordsWithoutID() throws {
        let store = Store()
        let operation = store.bind(Self.mutation, variables: .object([]))
        let body =
            #"{"data":{"add":{"count":1,"item":{"__typename":"Item","__isNamed":"Item","id":"1","name":"new"}}}}"#
        let before = store.dump()
        let layer = store.apply(try store.normalizeExpected(Array(body.utf8), for: operation))
        #expect(store.json(of: operation)["add"]?["count"] == 1)
        #expect(store.json(of: operation)["add"]?["item"]?["name"] == "new")
        #expect(store.records.withoutLayers.known.isEmpty)
        #expect(store.drop(layer))
        // The type facts stay.
        #expect(store.dump().replacing("Item is Named", with: "") == before)
    }

    @Test func absenceInAnExpectedAnswerProvesNothingOfATypes() throws {
        let store = Store()
        let operation = store.bind(Self.mutation, variables: .object([]))
        let body = #"{"data":{"add":{"count":1,"item":{"__typename":"Item","id":"1"}}}}"#
        let layer = store.apply(try store.normalizeExpected(Array(body.utf8), for: operation))
        #expect(store.records.facts.isEmpty)
        store.drop(layer)
    }

    @Test func aLayerRunsOnlyWhenSomethingThatItTouchedChanges() throws {
        let store = Store()
        let runs = Guarded(0)
        try store.update { store in
            for id in ["a", "b", "c"] { try store.create(DataID(id), type: "R").setValue(0, forField: "n") }
        }
        let layer = store.apply { store in
            runs.withLock { $0 += 1 }
            guard let a = store.get("a"), let value = a.value(forField: "n") else { return }
            try store.get("b")?.setValue(value, forField: "copy")
        }
        #expect(runs.withLock { $0 } == 1)
        try store.update { try $0.get("c")?.setValue(1, forField: "n") }
        let other = store.apply { try $0.get("c")?.setValue(2, forField: "n") }
        store.drop(other)
        #expect(runs.withLock { $0 } == 1)
        try store.update { try $0.get("a")?.setValue(5, forField: "n") }
        #expect(runs.withLock { $0 } == 2)
        #expect(try store.number("b", "copy") == 5)
        // A record that the layer asked for in vain may appear.
        let asking = store.apply { store in
            if store.get("late") != nil { try store.get("c")?.setValue(9, forField: "n") }
        }
        try store.update { _ = try $0.create("late", type: "R") }
        #expect(try store.number("c", "n") == 9)
        store.drop(asking)
        store.drop(layer)
        #expect(try store.number("c", "n") == 1)
    }

    @Test func aLayerThatLooksThroughTheWholeStoreSeesOthersInOrder() throws {
        let store = Store()
        try store.update { store in
            let item = try store.create("item", type: "R")
            for id in ["l1", "l2"] {
                try store.create(DataID(id), type: "L").setLinkedRecords([item], forField: "list")
            }
        }
        let below = store.apply { store in
            guard let item = store.get("item") else { return }
            try store.create("l3", type: "L").setLinkedRecords([item, item], forField: "list")
        }
        let deleting = store.apply { try $0.delete("item", removingReferences: true) }
        let above = store.apply { store in
            let again = try store.create("item", type: "R")
            try store.get("l1")?.setLinkedRecords([again], forField: "list")
        }
        #expect(try store.listCounts(["l1", "l2", "l3"]) == [1, 0, 0])
        try store.update { store in
            guard let item = store.get("item") else { return }
            try store.create("l4", type: "L").setLinkedRecords([item], forField: "list")
        }
        #expect(try store.listCounts(["l1", "l2", "l3", "l4"]) == [1, 0, 0, 0])
        store.drop(deleting)
        // The item exists now, so the last layer cannot create it.
        #expect(try store.listCounts(["l1", "l2", "l3", "l4"]) == [1, 1, 2, 1])
        store.drop(below)
        store.drop(above)
        #expect(try store.listCounts(["l1", "l2", "l4"]) == [1, 1, 1])
    }

    // MARK: - Threads

    /// Layers come and go while answers land and readers read. At the end only the base is left, and each sum was right
    /// when it was read.
    @Test func layersOfManyThreadsLeaveNothingBehind() async throws {
        let plan = "{items:[+Item!]!{id:ID! n:Int m:Int}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "S", kind: .query, text: "", normalization: plan, reader: plan)
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        @Sendable func body(_ n: Int) -> [UInt8] {
            let list = (0..<8).map { #"{"id":"\#($0)","n":\#(n),"m":\#(-n)}"# }.joined(separator: ",")
            return Array(#"{"data":{"items":[\#(list)]}}"#.utf8)
        }
        store.publish(try store.normalize(body(0), for: operation), for: operation)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                group.addTask {
                    for round in 0..<60 {
                        let id = DataID("\((thread + round) % 8)")
                        let next = DataID("\((thread + round + 1) % 8)")
                        // In every state the two fields of an item add up to zero.
                        let layer = store.apply { store in
                            guard let item = store.get(id), case .int(let n)? = item.value(forField: "n"),
                                let other = store.get(next)
                            else { return }
                            try other.setValue(.int(n + 1), forField: "n")
                            try other.setValue(.int(-n - 1), forField: "m")
                        }
                        if round % 3 == 0, let staged = try? store.normalize(body(round), for: operation) {
                            store.publish(staged, for: operation, dropping: layer)
                        } else {
                            store.drop(layer)
                        }
                    }
                }
            }
            group.addTask {
                for round in 0..<60 {
                    _ = try? store.update { store in try store.root.setValue(.int(round), forField: "other") }
                }
            }
            group.addTask {
                for _ in 0..<200 {
                    let records = store.records
                    for id in 0..<8 {
                        guard let record = store.record(DataID("\(id)")),
                            case .int(let n)? = records.value(store.names.key("n"), of: record),
                            case .int(let m)? = records.value(store.names.key("m"), of: record)
                        else { continue }
                        #expect(n == -m)
                    }
                }
            }
        }
        #expect(store.layerCount == 0)
        #expect(store.records.covered.isEmpty)
        // Every answer wrote the same number everywhere.
        let items = store.json(of: operation)["items"]
        guard case .array(let list)? = items else {
            Issue.record("nothing was read")
            return
        }
        #expect(Set(list.map { $0["n"] ?? .null }).count == 1)
    }
}

extension Store {
    fileprivate func number(_ id: DataID, _ field: String) throws -> Int? {
        let record = try #require(self.record(id))
        guard case .int(let value)? = records.value(names.key(field), of: record) else { return nil }
        return value
    }

    fileprivate func listCounts(_ ids: [DataID]) throws -> [Int?] {
        try ids.map { id in
            let record = try #require(self.record(id))
            guard case .links(let links)? = records.value(names.key("list"), of: record) else { return nil }
            return links.count
        }
    }

    /// A response repeats a list, and the store deletes one of its records before the response lands.
    @Test func whatARepeatedListSaysLandsAlthoughTheStoreHasMoved() throws {
        let store = Store()
        let plan = "{count:Int all:[+Item]{id:ID!}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Items", kind: .mutation, text: "", normalization: plan, reader: plan)
        let operation = store.bind(artifact, variables: .object([]))
        func answer(_ count: Int) throws -> StagedResponse {
            let body = #"{"data":{"count":\#(count),"all":[{"id":"1"},{"id":"2"}]}}"#
            return try store.normalize(Array(body.utf8), for: operation)
        }
        _ = store.publish(try answer(2), for: operation)
        let runs = Guarded(0)
        let layer = store.apply { [operation] records in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            _ = records.existing(operation.root)?.value(forField: "count")
            guard run == 2 else { return }
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = try? store.update { try $0.delete("2") }
                isDone.signal()
            }
            isDone.wait()
        }
        _ = store.publish(try answer(3), for: operation)
        #expect(runs.withLock(\.self) >= 2)
        #expect(store.json(of: operation)["all"] == [["id": "1"], ["id": "2"]])
        store.drop(layer)
        #expect(store.checkInvariants() == [])
    }
}
