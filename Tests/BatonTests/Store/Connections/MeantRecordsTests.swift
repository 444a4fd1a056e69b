import Testing

@testable import Baton

/// Which record the ID in a field with `@deleteRecord` or `@deleteEdge` means, where several records have the ID.
@Suite struct MeantRecordsTests {
    /// The store has a book, whose type implements `Node`, and a film, a thing and a tag, whose types do not.
    private static let all =
        #"{"book":{"id":"1"},"film":{"id":"1"},"thing":{"id":"1"},"tag":{"id":"1"},"other":{"id":"b1"}}"#
    private static let allPlan =
        "{book:+Book{id:ID!} film:Film{id:ID!} thing:Thing{id:ID!} tag:Tag{id:ID!} other:+Book{id:ID!}}"
    private static let ids: [DataID] = ["1", "Film:1", "Thing:1", "Tag:1", "b1"]

    private static func operation(
        _ plan: String, _ kind: OperationKind, _ variables: JSONValue = [:], in store: Store
    ) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: plan, kind: kind, text: "", normalization: plan, reader: plan)
        return store.bind(artifact, variables: variables)
    }

    private static func staged(_ data: String, _ operation: BoundOperation, in store: Store) throws -> StagedResponse {
        try store.normalize(Array("{\"data\":\(data)}".utf8), for: operation)
    }

    private static func land(
        _ data: String, _ plan: String, _ kind: OperationKind = .mutation, _ variables: JSONValue = [:],
        in store: Store
    ) throws {
        let operation = operation(plan, kind, variables, in: store)
        try store.publish(staged(data, operation, in: store), for: operation, updating: { _ in })
        #expect(store.checkInvariants().isEmpty)
    }

    private static func filled() throws -> Store {
        let store = Store()
        try land(all, allPlan, .query, in: store)
        return store
    }

    /// Returns which of these records the store has; those of a layer if it has one.
    private static func present(_ ids: [DataID], in store: Store) -> [DataID] {
        ids.filter { id in store.names.record(id, adding: false).map { store.records.state(of: $0) } == .existing }
    }

    private static func events(of store: Store) -> [LogEvent.UnknownName] {
        store.names.withSpelling { $0.takeEvents() }
    }

    struct Deletion: Sendable, CustomTestStringConvertible {
        let plan: String
        let answer: String
        let gone: DataID
        /// The record of the payload, which goes too.
        var payload: DataID?

        var testDescription: String { plan }
    }

    private static let deletions = [
        Deletion(
            plan: "{burn:Burnt{id:ID@deleteRecord}}", answer: #"{"burn":{"id":"1"}}"#, gone: "1",
            payload: "Burnt:1"),
        Deletion(
            plan: "{burn:Burnt{gone=id:ID@deleteRecord id:ID}}", answer: #"{"burn":{"gone":"1","id":"1"}}"#, gone: "1",
            payload: "Burnt:1"),
        Deletion(
            plan: "{deleteFilm:Burnt{id:ID@deleteRecord}}", answer: #"{"deleteFilm":{"id":"1"}}"#, gone: "Film:1",
            payload: "Burnt:1"),
        Deletion(
            plan: "{x=deleteFilm:Burnt{gone=id:ID@deleteRecord id:ID}}", answer: #"{"x":{"gone":1,"id":1}}"#,
            gone: "Film:1", payload: "Burnt:1"),
        Deletion(
            plan: "{remove:DeleteThingPayload{id:ID!@deleteRecord}}", answer: #"{"remove":{"id":"1"}}"#,
            gone: "Thing:1", payload: "DeleteThingPayload:1"),
        Deletion(
            plan: "{deleteBook:DeleteBookPayload{id:ID!@deleteRecord}}", answer: #"{"deleteBook":{"id":"b1"}}"#,
            gone: "b1", payload: "DeleteBookPayload:b1"),
        Deletion(
            plan: "{removeThing:RemoveThingPayload{id:ID!@deleteRecord}}", answer: #"{"removeThing":{"id":"1"}}"#,
            gone: "1", payload: "RemoveThingPayload:1"),
        Deletion(
            plan: "{deleteFilms:[Burnt]{id:ID@deleteRecord}}", answer: #"{"deleteFilms":[{"id":"1"}]}"#, gone: "1",
            payload: "Burnt:1"),
        Deletion(plan: "{film:Film{id:ID!@deleteRecord}}", answer: #"{"film":{"id":"1"}}"#, gone: "Film:1"),
        Deletion(plan: "{book:+Book{id:ID!@deleteRecord}}", answer: #"{"book":{"id":"1"}}"#, gone: "1"),
        Deletion(
            plan: "{remove:Removed{deletedThingId:ID@deleteRecord}}", answer: #"{"remove":{"deletedThingId":"1"}}"#,
            gone: "Thing:1"),
        Deletion(
            plan: "{remove:Removed{deletedId:ID@deleteRecord}}", answer: #"{"remove":{"deletedId":"1"}}"#, gone: "1"),
        Deletion(
            plan: "{deleteThing:Removed{deletedId:ID@deleteRecord}}", answer: #"{"deleteThing":{"deletedId":"1"}}"#,
            gone: "Thing:1"),
        // The ID is that of another type than the payload's.
        Deletion(
            plan: "{remove:DeleteThingPayload{tagId:ID@deleteRecord}}", answer: #"{"remove":{"tagId":"1"}}"#,
            gone: "Tag:1"),
    ]

    @Test(arguments: deletions) func anAnswerDeletesTheRecordThatItMeans(_ deletion: Deletion) throws {
        let store = try Self.filled()
        try Self.land(deletion.answer, deletion.plan, in: store)
        #expect(Self.present(Self.ids, in: store) == Self.ids.filter { $0 != deletion.gone })
        if let payload = deletion.payload { #expect(Self.present([payload], in: store) == []) }
        #expect(Self.events(of: store).isEmpty)
    }

    /// An expected answer follows the same rule, over what the layers below it have left, and is taken back.
    @Test(arguments: deletions) func anExpectedAnswerDeletesTheRecordThatItMeans(_ deletion: Deletion) throws {
        let store = try Self.filled()
        let operation = Self.operation(deletion.plan, .mutation, in: store)
        for _ in 0..<2 {
            let layer = store.apply(try Self.staged(deletion.answer, operation, in: store))
            #expect(Self.present(Self.ids, in: store) == Self.ids.filter { $0 != deletion.gone })
            if let payload = deletion.payload { #expect(Self.present([payload], in: store) == []) }
            store.drop(layer)
            #expect(Self.present(Self.ids, in: store) == Self.ids)
        }
        let layer = store.apply(try Self.staged(deletion.answer, operation, in: store))
        let answer = Self.operation(deletion.plan, .mutation, in: store)
        try store.publish(
            Self.staged(deletion.answer, answer, in: store), for: answer, dropping: layer, updating: { _ in })
        #expect(Self.present(Self.ids, in: store) == Self.ids.filter { $0 != deletion.gone })
        #expect(Self.events(of: store).isEmpty)
    }

    /// The type that a payload or a field names is an interface: the record is that of one of its types. The book, the
    /// film and the thing have one `id`.
    @Test(arguments: [
        ("{remove:DeleteNodePayload{id:ID!@deleteRecord}}", #"{"remove":{"id":"1"}}"#, "1" as DataID),
        ("{remove:DeleteNodePayload{id:ID!@deleteRecord}}", #"{"remove":{"id":"b1"}}"#, "b1"),
        ("{remove:DeleteMediaPayload{id:ID!@deleteRecord}}", #"{"remove":{"id":"1"}}"#, "Film:1"),
        ("{deleteMedia:Burnt{id:ID!@deleteRecord}}", #"{"deleteMedia":{"id":"1"}}"#, "Film:1"),
        ("{deletedMediaId:ID@deleteRecord}", #"{"deletedMediaId":"1"}"#, "Film:1"),
    ])
    func anInterfaceMeansTheRecordOfOneOfItsTypes(_ plan: String, _ answer: String, _ gone: DataID) throws {
        for knowsInterfaces in [true, false] {
            let store = try Self.filled()
            if knowsInterfaces {
                try Self.land(
                    #"{"any":{"__typename":"Film","id":"1","__isMedia":"Film"},"node":{"__typename":"Book","id":"1","__isNode":"Book"}}"#,
                    "{any:*Any{id:ID! <*Media>{id:ID!}} node:+*Any{id:ID! <*Node>{id:ID!}}}", .query, in: store)
            } else if gone == "Film:1" {
                continue
            }
            try Self.land(answer, plan, in: store)
            #expect(Self.present(Self.ids, in: store) == Self.ids.filter { $0 != gone })
            #expect(Self.present(["DeleteNodePayload:1", "DeleteMediaPayload:1", "Burnt:1"], in: store) == [])
            #expect(Self.events(of: store).isEmpty)
        }
    }

    /// What an earlier answer of the same field has written is not the object's own record.
    @Test func aRecordIsBurntLoadedAndBurntAgain() throws {
        let store = try Self.filled()
        let burn = "{burn:Burnt{id:ID@deleteRecord}}"
        for _ in 0..<3 {
            try Self.land(#"{"burn":{"id":"b1"}}"#, burn, in: store)
            #expect(Self.present(["b1", "Burnt:b1"], in: store) == [])
            try Self.land(Self.all, Self.allPlan, .query, in: store)
            #expect(Self.present(["b1"], in: store) == ["b1"])
        }
        // The same field without the directive leaves its record.
        for _ in 0..<2 { try Self.land(#"{"burn":{"id":"b1"}}"#, "{burn:Burnt{id:ID}}", in: store) }
        #expect(Self.present(["b1", "Burnt:b1"], in: store) == ["b1", "Burnt:b1"])
        try Self.land(#"{"burn":{"id":"b1"}}"#, burn, in: store)
        #expect(Self.present(["b1", "Burnt:b1"], in: store) == [])
        #expect(Self.events(of: store).isEmpty)
    }

    /// Without a node of that ID, what only earlier answers of the field have written is no record to delete, and the
    /// log says so. The payload's own record goes all the same.
    @Test func whatEarlierAnswersHaveWrittenIsNoTarget() throws {
        let store = try Self.filled()
        for _ in 0..<2 { try Self.land(#"{"burn":{"id":"x9"}}"#, "{burn:Burnt{id:ID}}", in: store) }
        #expect(Self.present(["Burnt:x9"], in: store) == ["Burnt:x9"])
        try Self.land(#"{"burn":{"id":"x9"}}"#, "{burn:Burnt{id:ID@deleteRecord}}", in: store)
        #expect(Self.present(["Burnt:x9"], in: store) == [])
        #expect(Self.events(of: store).count == 1)
    }

    /// What others have written is the object's own record, also if there is a node with the same ID.
    @Test(arguments: [
        ("{ashes:Burnt{id:ID}}", #"{"ashes":{"id":"b1"}}"#, OperationKind.query),
        ("{singe:Burnt{id:ID}}", #"{"singe":{"id":"b1"}}"#, .mutation),
    ])
    func aRecordThatOthersHaveWrittenIsTheOwnOne(_ plan: String, _ answer: String, _ kind: OperationKind) throws {
        let store = try Self.filled()
        try Self.land(answer, plan, kind, in: store)
        try Self.land(#"{"burn":{"id":"b1"}}"#, "{burn:Burnt{id:ID}}", in: store)
        try Self.land(#"{"burn":{"id":"b1"}}"#, "{burn:Burnt{id:ID@deleteRecord}}", in: store)
        #expect(Self.present(["b1", "Burnt:b1"], in: store) == ["b1"])
    }

    @Test(arguments: [
        (#"{"burn":{"id":"2"}}"#, "{burn:Burnt{id:ID@deleteRecord}}", "2", ["Film:2", "Tag:2"], true),
        (#"{"gone":"2"}"#, "{gone:ID@deleteRecord}", "2", ["Film:2", "Tag:2"], true),
        (#"{"deletedThingId":"2"}"#, "{deletedThingId:ID@deleteRecord}", "Thing:2", [], false),
        (#"{"deletedId":"9"}"#, "{deletedId:ID@deleteRecord}", "9", [], false),
        (#"{"burn":{"id":"9"}}"#, "{burn:Burnt{id:ID@deleteRecord}}", "9", [], false),
    ])
    func aDirectiveThatFindsNothingSaysSo(
        _ answer: String, _ plan: String, _ id: String, _ near: [String], _ isMistake: Bool
    ) throws {
        let store = try Self.filled()
        try Self.land(
            #"{"film":{"id":"2"},"tag":{"id":"2"}}"#, "{film:Film{id:ID!} tag:Tag{id:ID!}}", .query, in: store)
        try Self.land(answer, plan, in: store)
        let ids = Self.ids + ["Film:2", "Tag:2"]
        #expect(Self.present(ids, in: store) == ids)
        let events = Self.events(of: store)
        #expect(events.map(\.name) == [.record(DataID(id))])
        #expect(events.first.map { Set($0.near) } == Set(near))
        #expect(events.first.map { LogEvent.unknownName($0).isMistake } == isMistake)
        // What was deleted before is no news.
        try Self.land(#"{"film":{"id":"1"}}"#, "{film:Film{id:ID!@deleteRecord}}", in: store)
        try Self.land(#"{"deletedFilmId":"1"}"#, "{deletedFilmId:ID@deleteRecord}", in: store)
        #expect(Self.events(of: store).isEmpty)
    }

    /// The records of a payload are read before they go: by the updater, and in the data of the response.
    @Test func aPayloadIsReadAlthoughItsRecordGoes() throws {
        for plan in ["{burn:Burnt!{id:ID!@deleteRecord}}", "{burn:Film!{id:ID!@deleteRecord}}"] {
            let store = try Self.filled()
            let operation = Self.operation(plan, .mutation, in: store)
            var data: RowResult?
            try store.publish(
                Self.staged(#"{"burn":{"id":"1"}}"#, operation, in: store), for: operation
            ) { source in
                data = source.readUndeleted(operation)
                if plan.contains("Burnt") { #expect(source.rootField("burn")?.value(forField: "id") == "1") }
            }
            #expect(data?.isMissingData == false && data?.row != nil)
            #expect(Self.present(["Burnt:1"], in: store) == [])
        }
    }

    /// The directives of one object are all carried out, in any order.
    @Test func aDeletionDoesNotStopTheOtherDirectivesOfTheObject() throws {
        let store = try Self.filled()
        try Self.land(
            #"{"film":{"id":"1","sequelId":"b1","more":"Thing:1"}}"#,
            "{film:Film{id:ID!@deleteRecord sequelId:ID@deleteRecord thingId=more:ID}}", in: store)
        #expect(Self.present(Self.ids, in: store) == ["1", "Thing:1", "Tag:1"])
        try Self.land(
            #"{"burn":{"id":"1","deletedThingId":"1"}}"#,
            "{burn:Burnt{id:ID@deleteRecord deletedThingId:ID@deleteRecord}}", in: store)
        #expect(Self.present(Self.ids, in: store) == ["Tag:1"])
    }

    /// A type that the caller gives is not replaced by another one with the same `id`.
    @Test func aGivenTypeIsTheOnlyOne() throws {
        let store = try Self.filled()
        try Self.land(#"{"gone":"b1","other":"1"}"#, "{gone:ID other:ID}", .query, in: store)
        try store.update { records in
            let none = try MutationHandlers.deleteRecord(records.root.field("gone"), type: "Film")
            #expect(none == 1)
            let one = try MutationHandlers.deleteRecord(records.root.field("other"), type: "Tag")
            #expect(one == 1)
        }
        #expect(Self.present(Self.ids, in: store) == ["1", "Film:1", "Thing:1", "b1"])
    }

    // MARK: - Edges

    private static let page =
        "{list:C@connection(\"L\"){edges:[E]{cursor:String node:*N+Book{id:ID!}}}}"
    private static let connection = DataID.connection(on: .root, key: "L")

    private static func nodes(in store: Store) throws -> [DataID?] {
        try store.update { $0.connection(connection)?.nodes.map { $0?.dataID } ?? [] }.0
    }

    /// A film, a book and a tag of the same `id` in one connection.
    @Test(arguments: [
        ("{film:Film{id:ID!@deleteEdge($c)}}", #"{"film":{"id":"1"}}"#, ["1", "Tag:1"], false),
        ("{gone:ID@deleteEdge($c)}", #"{"gone":"1"}"#, ["Film:1", "Tag:1"], false),
        ("{deletedTagId:ID@deleteEdge($c)}", #"{"deletedTagId":"1"}"#, ["1", "Film:1"], false),
        ("{deleteTag:Burnt{id:ID@deleteEdge($c)}}", #"{"deleteTag":{"id":"1"}}"#, ["1", "Film:1"], false),
        ("{deleteThing:Burnt{id:ID@deleteEdge($c)}}", #"{"deleteThing":{"id":"1"}}"#, ["1", "Film:1", "Tag:1"], true),
        ("{gone:ID@deleteEdge($c)}", #"{"gone":"7"}"#, ["1", "Film:1", "Tag:1"], true),
    ])
    func anEdgeIsThatOfTheNodeThatIsMeant(
        _ plan: String, _ answer: String, _ rest: [DataID], _ isTold: Bool
    ) throws {
        let store = try Self.filled()
        let edges = ["Book", "Film", "Tag"].map { #"{"cursor":"\#($0)","node":{"__typename":"\#($0)","id":"1"}}"# }
        try Self.land(
            #"{"list":{"edges":[\#(edges.joined(separator: ","))]}}"#, Self.page, .query, in: store)
        #expect(try Self.nodes(in: store) == ["1", "Film:1", "Tag:1"])
        try Self.land(answer, "(c)" + plan, .mutation, ["c": [.string(Self.connection.rawValue)]], in: store)
        #expect(try Self.nodes(in: store) == rest)
        #expect(Self.events(of: store).isEmpty == !isTold)
    }

    /// Without a node of the type of all others, an ID that two nodes have means neither of them.
    @Test func anEdgeOfOneOfSeveralIsNotGuessed() throws {
        let store = Store()
        let edges = ["Film", "Tag"].map { #"{"cursor":"\#($0)","node":{"__typename":"\#($0)","id":"1"}}"# }
        try Self.land(
            #"{"list":{"edges":[\#(edges.joined(separator: ","))]}}"#, Self.page, .query, in: store)
        try Self.land(
            #"{"gone":"1"}"#, "(c){gone:ID@deleteEdge($c)}", .mutation, ["c": [.string(Self.connection.rawValue)]],
            in: store)
        #expect(try Self.nodes(in: store) == ["Film:1", "Tag:1"])
        #expect(Self.events(of: store).first?.near.contains("Film:1") == true)
    }
}
