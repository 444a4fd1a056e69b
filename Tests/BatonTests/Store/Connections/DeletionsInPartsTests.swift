import Testing

@testable import Baton

/// `@deleteRecord` and `@deleteEdge` in mutations whose answers come in parts. An answer in parts deletes what the same
/// answer deletes as a whole.
@Suite struct DeletionsInPartsTests {
    /// The store has a book, whose type implements `Node`, and a film of the same `id`, whose type does not.
    private static let all = #"{"data":{"book":{"id":"1"},"film":{"id":"1"},"other":{"id":"b1"}}}"#
    private static let allPlan = "{book:+Book{id:ID!} film:Film{id:ID!} other:+Book{id:ID!}}"
    private static let ids: [DataID] = ["1", "Film:1", "b1", "Burnt:1", "Burnt:b1"]

    private static func operation(
        _ plan: String, _ kind: OperationKind, _ variables: JSONValue = [:], in store: Store
    ) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: plan, kind: kind, text: "", normalization: plan, reader: "{}")
        return store.bind(artifact, variables: variables)
    }

    private static func load(_ data: String = all, _ plan: String = allPlan, in store: Store) throws {
        let operation = operation(plan, .query, in: store)
        store.publish(try store.normalize(Array(data.utf8), for: operation), for: operation)
    }

    /// Lands the payloads of one answer; returns which of the records there are after each.
    private static func land(
        _ payloads: [String], _ plan: String, _ variables: JSONValue = [:], in store: Store,
        between: (Store) throws -> Void = { _ in }
    ) throws -> [[DataID]] {
        let operation = operation(plan, .mutation, variables, in: store)
        var delivery = try #require(IncrementalDelivery(operation))
        var present: [[DataID]] = []
        for (index, payload) in payloads.enumerated() {
            let part = try store.normalize(Array(payload.utf8), into: &delivery, isLast: index == payloads.count - 1)
            try store.publish(part.response, for: operation, updating: { _ in })
            present.append(Self.present(in: store))
            if index < payloads.count - 1 { try between(store) }
        }
        try delivery.finish()
        #expect(store.checkInvariants().isEmpty)
        return present
    }

    private static func present(in store: Store) -> [DataID] {
        ids.filter { id in store.names.record(id, adding: false).map { store.records.state(of: $0) } == .existing }
    }

    private static func events(of store: Store) -> [LogEvent.UnknownName] {
        store.names.withSpelling { $0.takeEvents() }
    }

    /// A payload with the object at a field, and the deferred fragments that follow.
    private static func first(_ field: String, _ object: String, _ labels: String...) -> String {
        let pending = labels.map { #"{"id":"\#($0)","path":["\#(field)"],"label":"\#($0)"}"# }.joined(separator: ",")
        return #"{"data":{"\#(field)":\#(object)},"pending":[\#(pending)],"hasNext":true}"#
    }

    private static func part(_ label: String, _ object: String, hasNext: Bool = false) -> String {
        #"{"incremental":[{"id":"\#(label)","data":\#(object)}],"completed":[{"id":"\#(label)"}],"hasNext":\#(hasNext)}"#
    }

    /// The `id` comes first, and a later part brings other fields of the payload.
    @Test func aPayloadGoesWithTheLastPart() throws {
        let store = Store()
        let plan = #"{burn:Burnt{id:ID@deleteRecord <>@defer("D"){text:String} <>@defer("E"){more:String}}}"#
        let payloads = [
            Self.first("burn", #"{"id":"b1"}"#, "D", "E"), Self.part("D", #"{"text":"x"}"#, hasNext: true),
            Self.part("E", #"{"more":"y"}"#),
        ]
        for _ in 0..<2 {
            try Self.load(in: store)
            let present = try Self.land(payloads, plan, in: store)
            #expect(
                present == [["1", "Film:1", "Burnt:b1"], ["1", "Film:1", "Burnt:b1"], ["1", "Film:1"]])
        }
        #expect(Self.events(of: store).isEmpty)
    }

    /// What was deleted once for an answer, and has come again since, is not deleted again.
    @Test func aPartDoesNotDeleteAgain() throws {
        let store = Store()
        try Self.load(in: store)
        let plan = #"{burn:Burnt{id:ID@deleteRecord <>@defer("D"){text:String}}}"#
        let payloads = [Self.first("burn", #"{"id":"b1"}"#, "D"), Self.part("D", #"{"text":"x"}"#)]
        let present = try Self.land(payloads, plan, in: store) { try Self.load(in: $0) }
        #expect(present.last == ["1", "Film:1", "b1"])
    }

    /// A deferred fragment has the directive, and the `id` has come before, for another selection. The object's record
    /// is then in the store, and yet not from before the answer. A server may send the `id` again.
    @Test(arguments: [
        ("burn", "b1", ["1", "Film:1"], "{}"), ("burn", "b1", ["1", "Film:1"], #"{"id":"b1"}"#),
        ("deleteFilm", "1", ["1", "b1"], "{}"), ("deleteFilm", "1", ["1", "b1"], #"{"id":"1"}"#),
        ("burn", "1", ["Film:1", "b1"], "{}"),
    ])
    func aDeferredDirectiveMeansTheSame(_ field: String, _ id: String, _ rest: [DataID], _ deferred: String) throws {
        let store = Store()
        let plan = #"{\#(field):Burnt{id:ID text:String <>@defer("D"){id:ID@deleteRecord} <>@defer("E"){more:String}}}"#
        let first = Self.first(field, #"{"id":"\#(id)","text":"x"}"#, "D", "E")
        let orders = [
            [first, Self.part("D", deferred, hasNext: true), Self.part("E", #"{"more":"y"}"#)],
            [first, Self.part("E", #"{"more":"y"}"#, hasNext: true), Self.part("D", deferred)],
        ]
        for payloads in orders {
            try Self.load(in: store)
            #expect(try Self.land(payloads, plan, in: store).last == rest)
        }
        #expect(Self.events(of: store).isEmpty)
    }

    /// The object's own record was in the store before the answer.
    @Test(arguments: [
        "{film:Film{id:ID!@deleteRecord <>@defer(\"D\"){title:String}}}",
        "{film:Film{id:ID! <>@defer(\"D\"){id:ID!@deleteRecord title:String}}}",
    ])
    func theOwnRecordGoesThoughAPartFollows(_ plan: String) throws {
        let store = Store()
        try Self.load(in: store)
        let payloads = [Self.first("film", #"{"id":"1"}"#, "D"), Self.part("D", #"{"title":"x"}"#)]
        #expect(try Self.land(payloads, plan, in: store).last == ["1", "b1"])
        #expect(Self.events(of: store).isEmpty)
    }

    @Test func anEdgeIsRemovedOnce() throws {
        let store = Store()
        let page = "{list:C@connection(\"L\"){edges:[E]{cursor:String node:+Book{id:ID!}}}}"
        let data = #"{"data":{"list":{"edges":[{"cursor":"a","node":{"id":"1"}},{"cursor":"b","node":{"id":"b1"}}]}}}"#
        try Self.load(data, page, in: store)
        let connection = DataID.connection(on: .root, key: "L")
        func nodes() throws -> [DataID?] {
            try store.update { $0.connection(connection)?.nodes.map { $0?.dataID } ?? [] }.0
        }
        let payloads = [Self.first("burn", #"{"id":"b1"}"#, "D"), Self.part("D", #"{"text":"x"}"#)]
        _ = try Self.land(
            payloads, "(c){burn:Burnt{id:ID@deleteEdge($c) <>@defer(\"D\"){text:String}}}",
            ["c": [.string(connection.rawValue)]], in: store
        ) { store in
            #expect(try nodes() == ["1"])
            try store.update { records in
                guard let book = records.get("b1") else { return }
                _ = try records.connection(connection)?.append(node: book, edgeType: "E")
            }
        }
        #expect(try nodes() == ["1", "b1"])
        #expect(Self.events(of: store).isEmpty)
    }
}
