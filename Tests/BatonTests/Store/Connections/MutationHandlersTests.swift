import Testing

@testable import Baton

/// The effects of the mutation directives.
@Suite struct MutationHandlersTests {
    private static let connection = DataID.connection(on: .root, key: TodoConnection.key)
    private static let plan =
        "{edge:TodoEdge{cursor:String node:+Todo{id:ID! text:String}} edges:[TodoEdge]{cursor:String node:+Todo{id:ID! text:String}} node:+Todo{id:ID! text:String} nodes:[+Todo]{id:ID! text:String} gone:ID all:[ID!]}"
    private static let artifact = GeneratedCode.OperationArtifact(
        name: "Change", kind: .mutation, text: "", normalization: plan, reader: plan)

    private static func filled() throws -> Store {
        let store = Store()
        let edges = (1...3).map { TodoConnection.Edge("\($0)", cursor: "c\($0)") }
        try store.land(.init(edges: edges, info: .init(start: "c1", end: "c3")), .init(first: 3))
        return store
    }

    /// Runs an updater on a response with these root fields; returns the nodes of the connection afterwards.
    private static func change(
        _ data: String, _ update: @escaping (RecordSourceProxy, (String) -> RecordField) throws -> Void
    ) throws -> [String?]? {
        let store = try filled()
        let operation = store.bind(artifact, variables: .object([]))
        let staged = try store.normalize(Array("{\"data\":\(data)}".utf8), for: operation)
        try store.publish(staged, for: operation) { records in
            let payload = try #require(records.payload)
            try update(records) { payload.field($0) }
        }
        #expect(!store.todos().isMissingData)
        return store.todos().data?.todos?.nodes
    }

    private static let four = #"{"cursor":"c4","node":{"id":"4","text":"four"}}"#
    private static let two = #"{"cursor":"other","node":{"id":"2","text":"two"}}"#

    @Test func anEdgeIsAppendedOrPrependedUnlessItsNodeIsThere() throws {
        let appended = try Self.change(#"{"edge":\#(Self.four)}"#) { _, field in
            let count = try MutationHandlers.appendEdge(field("edge"), to: [Self.connection, "client:no"])
            #expect(count == 1)
        }
        #expect(appended == ["1", "2", "3", "4"])
        let prepended = try Self.change(#"{"edges":[\#(Self.four),null,\#(Self.two)]}"#) { records, field in
            let count = try MutationHandlers.prependEdge(field("edges"), to: [Self.connection])
            #expect(count == 1)
            #expect(records.connection(Self.connection)?.edge(of: "2")?.value(forField: "cursor") == "c2")
        }
        #expect(prepended == ["4", "1", "2", "3"])
        let none = try Self.change(#"{"edge":null}"#) { _, field in
            let count = try MutationHandlers.appendEdge(field("edge"), to: [Self.connection])
            #expect(count == 0)
        }
        #expect(none == ["1", "2", "3"])
    }

    @Test func aNodeIsAppendedOrPrependedUnlessItIsThere() throws {
        let appended = try Self.change(#"{"node":{"id":"4","text":"four"}}"#) { records, field in
            let count = try MutationHandlers.appendNode(field("node"), to: [Self.connection], edgeType: "TodoEdge")
            #expect(count == 1)
            let edge = try #require(records.connection(Self.connection)?.edge(of: "4"))
            #expect(edge.typename == "TodoEdge" && edge.value(forField: "cursor") == .null)
        }
        #expect(appended == ["1", "2", "3", "4"])
        let prepended = try Self.change(#"{"nodes":[{"id":"4","text":""},null,{"id":"1","text":""}]}"#) { _, field in
            let count = try MutationHandlers.prependNode(field("nodes"), to: [Self.connection], edgeType: "TodoEdge")
            #expect(count == 1)
        }
        #expect(prepended == ["4", "1", "2", "3"])
    }

    @Test func recordsAndEdgesAreDeletedByTheirIDs() throws {
        let edge = try Self.change(#"{"gone":"2"}"#) { records, field in
            let count = try MutationHandlers.deleteEdge(field("gone"), from: [Self.connection])
            #expect(count == 1)
            #expect(records.get("2") != nil)
        }
        #expect(edge == ["1", "3"])
        let records = try Self.change(#"{"all":["1","3","9"]}"#) { records, field in
            let count = try MutationHandlers.deleteRecord(field("all"))
            #expect(count == 3)
            #expect(records.get("1") == nil)
        }
        #expect(records == ["2"])
        let tombstone = try Self.change(#"{"gone":"2"}"#) { _, field in
            try MutationHandlers.deleteRecord(field("gone"), removingReferences: false)
        }
        #expect(tombstone == ["1", nil, "3"])
    }

    @Test func anIDOfATypeThatIsNoNodeIsFoundByTheType() throws {
        let store = Store()
        try store.update { records in
            try records.create("Tag:7", type: "Tag")
            try records.root.setValue(7, forField: "removed")
            try MutationHandlers.deleteRecord(records.root.field("removed"), type: "Tag")
            #expect(records.get("Tag:7") == nil)
        }
    }
}
