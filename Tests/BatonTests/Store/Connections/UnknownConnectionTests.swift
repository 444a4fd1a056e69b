import Testing

@testable import Baton

/// A connection that is named by a key or by filters that no connection has: the log and `explain` say which there are.
@Suite(.timeLimit(.minutes(20))) struct UnknownConnectionTests {
    private let stage = Stage()
    private var environment: RelayEnvironment { stage.environment }

    private func seeded() throws {
        try environment.update { source in
            for kind in ["NEW", "OLD"] {
                let connection = try source.create(
                    .connection(on: .root, key: "Feed_feed", filters: ["kind": .string(kind)]), type: "Feed")
                try connection.setLinkedRecords([], forField: "edges")
                try source.root.setLinkedRecord(
                    connection, forField: "__Feed_feed_connection", arguments: ["kind": .string(kind)])
            }
        }
        stage.log.clear()
    }

    private var told: [LogEvent.UnknownName] {
        stage.log.events.compactMap { event in
            if case .unknownName(let event) = event, case .connection = event.name { event } else { nil }
        }
    }

    private static let there = [
        #"client:root:__Feed_feed_connection(kind:"NEW")"#, #"client:root:__Feed_feed_connection(kind:"OLD")"#,
    ]

    struct Miss: Sendable {
        let id: DataID
        let find: @Sendable (RecordSourceProxy) -> Void
    }

    private static let misses: [Miss] = [
        Miss(id: .connection(on: .root, key: "Feed_feed")) {
            _ = $0.connection(.connection(on: .root, key: "Feed_feed"))
        },
        Miss(id: .connection(on: .root, key: "Feed_feed")) { _ = $0.connection(on: $0.root, key: "Feed_feed") },
        Miss(id: .connection(on: .root, key: "Feed_feed", filters: ["kind": "new"])) {
            _ = $0.connection(on: $0.root, key: "Feed_feed", filters: ["kind": "new"])
        },
        Miss(id: .connection(on: .root, key: "feed_FEED")) { _ = $0.connection(on: $0.root, key: "feed_FEED") },
        Miss(id: .connection(on: .root, key: "Feed_fed")) { _ = $0.connections(on: $0.root, key: "Feed_fed") },
        Miss(id: .connection(on: .root, key: "Feeds_feed")) { _ = $0.connections(key: "Feeds_feed") },
        Miss(id: .connection(on: "9", key: "Feed_feed")) { _ = $0.connection(.connection(on: "9", key: "Feed_feed")) },
    ]

    @Test(arguments: misses.indices) func theLogSaysWhichConnectionsThereAre(_ index: Int) throws {
        try seeded()
        let miss = Self.misses[index]
        for _ in 0..<2 { try environment.update { miss.find($0) } }
        #expect(told.map(\.name) == [.connection(miss.id)])
        #expect(told.first?.near == Self.there)
        #expect(told.first?.description.contains(#"kind:"OLD""#) == true)
        #expect(environment.explain(miss.id).nearestRecords.map(\.rawValue) == Self.there)
    }

    @Test func whatIsThereOrResemblesNothingIsNotTold() throws {
        try seeded()
        try environment.update { source in
            #expect(source.connection(on: source.root, key: "Feed_feed", filters: ["kind": "NEW"]) != nil)
            #expect(source.connections(on: source.root, key: "Feed_feed").count == 2)
            #expect(source.connection(on: source.root, key: "Comments_of_a_thing") == nil)
            #expect(source.get("client:root:something") == nil)
        }
        #expect(told.isEmpty)
    }

    /// A directive skips a connection that is not there; the log says so too.
    @Test func aDirectiveThatNamesNoConnectionIsToldOf() throws {
        try seeded()
        let id = DataID.connection(on: .root, key: "Feed_feed")
        try environment.update { source in
            let payload = try source.createLocal(type: "Payload")
            try payload.setLinkedRecord(source.createLocal(type: "FeedEdge"), forField: "edge")
            #expect(try MutationHandlers.appendEdge(payload.field("edge"), to: [id]) == 0)
        }
        #expect(told.map(\.name) == [.connection(id)])
    }
}
