import Testing

@testable import Baton

/// The memory of a store is that of what is live, also while an optimistic layer waits for hours.
@Suite(.timeLimit(.minutes(20))) struct LayerMemoryTests {
    private static let selections =
        "(text){search(text:$text):[+U]{id:ID! name:String match(text:$text):+M{score:Int}} me:+U{id:ID! name:String}}"
    private static let search = GeneratedCode.OperationArtifact(
        name: "Search", kind: .query, text: "", normalization: selections, reader: selections)
    private static let like = GeneratedCode.OperationArtifact(
        name: "Like", kind: .mutation, text: "", normalization: "{like:+U{id:ID! name:String}}",
        reader: "{like:+U{id:ID! name:String}}")

    /// The layers that may be open meanwhile.
    enum Kind: String, CaseIterable, Sendable {
        case fieldOfARecord, rootIsRead, rootIsWritten, allFieldsAreRead, recordOfASearch, expectedAnswer
    }

    private static func add(_ kind: Kind, to store: Store) throws -> LayerID {
        switch kind {
        case .fieldOfARecord: store.apply { try $0.get("me")?.setValue("changed", forField: "name") }
        case .rootIsRead:
            store.apply { try $0.root.linkedRecord(forField: "me")?.setValue("changed", forField: "name") }
        case .rootIsWritten: store.apply { try $0.root.field("draft").setValue("changed") }
        case .allFieldsAreRead:
            store.apply { try $0.root.field("count").setValue($0.root.fields("me").isEmpty ? 0 : 1) }
        case .recordOfASearch:
            store.apply {
                try $0.root.linkedRecords(forField: "search", arguments: ["text": "first"])?.first??.setValue(
                    "changed", forField: "name")
            }
        case .expectedAnswer:
            store.apply(
                try store.normalizeExpected(
                    Array(#"{"data":{"like":{"__typename":"U","id":"me","name":"changed"}}}"#.utf8),
                    for: store.bind(Self.like, variables: .object([]))))
        }
    }

    private static func search(_ index: Int, _ store: Store) throws {
        let operation = store.bind(search, variables: ["text": .string("what somebody typed, number \(index)")])
        store.operations.retain(operation)
        let id = "a result of which nobody has heard, number \(index)"
        let body =
            #"{"data":{"search":[{"id":"\#(id)","name":"x","match":{"score":1}}],"me":{"id":"me","name":"Ada"}}}"#
        try store.write(body, for: operation)
        store.operations.releaseWithoutBuffer(operation)
    }

    /// Searches many things, one after the other, and returns the memory after each collection.
    private static func search(_ store: Store) throws -> [Int] {
        try (0..<10).map { round in
            for index in 0..<100 { try search(round * 100 + index, store) }
            _ = store.collector.collectGarbage(.release)
            return store.queue.memoryUse
        }
    }

    private static func start() throws -> (store: Store, shown: BoundOperation) {
        let store = Store()
        let shown = store.bind(search, variables: ["text": "first"])
        store.operations.retain(shown)
        let answer = #"{"data":{"search":[{"id":"1","name":"x","match":{"score":1}}],"me":{"id":"me","name":"Ada"}}}"#
        try store.write(answer, for: shown)
        _ = store.collector.collectGarbage()
        return (store, shown)
    }

    /// The memory of a store without a layer: the most while somebody searches, and what is left.
    private static let withoutLayer = Result {
        let (store, _) = try start()
        let most = try search(store).max()
        _ = store.collector.collectGarbage()
        return (most: most ?? 0, left: store.queue.memoryUse)
    }

    @Test(arguments: Kind.allCases) func whatWasTypedGoesWhileALayerIsOpen(_ kind: Kind) throws {
        let (usual, left) = try Self.withoutLayer.get()
        let (store, shown) = try Self.start()
        let layer = try Self.add(kind, to: store)
        let bytes = try Self.search(store)
        #expect(bytes.allSatisfy { $0 <= usual + usual / 2 }, "\(bytes) and not \(usual)")
        _ = store.collector.collectGarbage()
        #expect(!store.names.typesAndKeys.keys.contains { $0.contains("typed") })
        #expect(store.names.access { $0.records.usedCount } < 8)
        #expect(store.json(of: shown)["search"] != nil)
        store.drop(layer)
        _ = store.collector.collectGarbage()
        #expect(store.queue.memoryUse <= 2 * left, "\(store.queue.memoryUse) and not \(left)")
        #expect(store.json(of: shown)["me"]?["name"] == "Ada")
        #expect(store.checkInvariants() == [])
    }

    /// What a layer hides shows again when it is dropped, so it stays, with all that is shown of it.
    @Test func whatALayerHidesStays() throws {
        let store = Store()
        let plan = "{best:+U{id:ID! boss:+U{id:ID! boss:+U{id:ID!}}}}"
        let shown = store.bind(
            .init(name: "Best", kind: .query, text: "", normalization: plan, reader: plan), variables: [:])
        store.operations.retain(shown)
        try store.write(
            #"{"data":{"best":{"id":"1","boss":{"id":"2","boss":{"id":"3"}}}}}"#, for: shown)
        let before = store.json(of: shown)
        let layers = [
            store.apply { try $0.create("U", id: "4").setLinkedRecord(nil, forField: "boss") },
            store.apply { try $0.root.setLinkedRecord($0.get("4"), forField: "best") },
            store.apply { try $0.get("1")?.setLinkedRecord(nil, forField: "boss") },
            store.apply { try $0.root.setLinkedRecord(nil, forField: "best") },
            store.apply { try $0.delete("1") },
        ]
        _ = store.collector.collectGarbage()
        store.drop(layers[3])
        _ = store.collector.collectGarbage()
        #expect(store.json(of: shown)["best"]?["id"] == "4")
        store.drop(Array(layers.reversed()))
        #expect(store.json(of: shown) == before)
        _ = store.collector.collectGarbage()
        #expect(!store.dump().contains("4"))
        #expect(store.checkInvariants() == [])
    }

    /// A query that is in flight does not keep the texts either.
    @Test func whatWasTypedGoesWhileAQueryIsInFlight() throws {
        let (store, shown) = try Self.start()
        store.queryBegins(7, of: shown)
        try store.update { try $0.get("me")?.setValue("changed", forField: "name") }
        _ = try Self.search(store)
        _ = store.collector.collectGarbage()
        #expect(!store.names.typesAndKeys.keys.contains { $0.contains("typed") })
        #expect(store.names.access { $0.records.usedCount } < 8)
        store.queryEnds(7)
    }
}
