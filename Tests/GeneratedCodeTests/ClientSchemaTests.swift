import Baton
import BatonTesting
import Testing

/// Types and fields that only the client knows. Local updates write them, and queries with only such fields send no
/// request.
@Suite struct ClientSchemaTests {
    private static func setUp(_ environment: RelayEnvironment) throws {
        try environment.update { store in
            let settings = try store.root.getOrCreateLinkedRecord(forField: "settings", type: "Settings")
            try settings.setValue("DARK", forField: "theme")
            try settings.setValue(7, forField: "volume", arguments: ["in": "DARK"])
            let panel = try settings.getOrCreateLinkedRecord(forField: "panel", type: "Left")
            try panel.setValue(true, forField: "isOpen")
            try panel.setValue(3, forField: "left")
        }
    }

    @Test func aQueryOfTheClientIsNeverSent() async throws {
        let network = MockNetwork()
        let environment = RelayEnvironment(network: network)
        #expect(SettingsQuery.artifact.text == nil && SettingsQuery.artifact.id == nil)
        let handle = QueryHandle<SettingsQuery>(in: environment)
        // No value has been written, and none counts as missing.
        #expect(handle.get() == .success(handle.result.data) && handle.result.data?.settings == nil)
        #expect(!handle.isMissingData)
        try Self.setUp(environment)
        let settings = try #require(handle.get().data?.settings)
        #expect(settings.theme == .night && settings.volume == 7 && settings.favourite == nil)
        #expect(settings.panel?.isOpen == true && settings.panel?.asLeft?.left == 3 && settings.panel?.asRight == nil)
        for policy in [FetchPolicy.networkOnly, .storeOrNetwork, .networkOrStore] {
            #expect(try await environment.fetch(SettingsQuery(), policy: policy).data?.settings == settings)
        }
        #expect((try? await environment.fetch(SettingsQuery(), policy: .storeOnly))?.data?.settings == settings)
        for try await response in environment.fetchStream(SettingsQuery(), policy: .storeAndNetwork) {
            #expect(response.data?.settings == settings)
        }
        _ = handle.get(fetchKey: 2)
        try await handle.refetch().finished()
        #expect(handle.result.data?.settings == settings)
        #expect(network.requests.isEmpty)
    }

    @Test func localWritesAreObserved() async throws {
        let environment = RelayEnvironment(network: MockNetwork())
        let handle = QueryHandle<SettingsQuery>(in: environment)
        _ = handle.get()
        var results = handle.results.makeAsyncIterator()
        #expect(await results.next()?.data?.settings == nil)
        try Self.setUp(environment)
        var theme: Appearance?
        while theme == nil { theme = await results.next()?.data?.settings?.theme }
        #expect(theme == .night)
    }

    /// Interfaces and unions of the client, with objects of the client and of the server.
    @Test func abstractTypesOfTheClientAreKnown() async throws {
        let environment = try ConfiguredTests.environment()
        _ = try await environment.fetch(PlaysQuery(count: 1))
        try environment.update { store in
            let note = try store.createLocal(type: "Note")
            try note.setValue("remember", forField: "note")
            let play = try #require(store.get(DataID("p1")))
            try play.setValue(true, forField: "isMarked")
            try store.root.setLinkedRecords([note, play], forField: "shelf")
        }
        let handle = QueryHandle<ShelfQuery>(in: environment)
        let shelf = try #require(handle.get().data?.shelf)
        #expect(shelf.map(\.__typename) == ["Note", "Play"])
        #expect(shelf.map { $0.asNoted?.note } == ["remember", nil])
        #expect(shelf.map { $0.asDrama?.title } == [nil, "Play 1"])
        #expect(shelf.map { $0.fragments.notedLine.flatMap { environment.read($0) }?.note } == ["remember", nil])
    }

    /// Holds requests until they are answered by hand.
    private final class Hold: NetworkLayer {
        private let answers = AsyncStream.makeStream(of: String.self)

        func answer(_ body: String) { answers.continuation.yield(body) }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            for await body in answers.stream { return NetworkResponse(body: Array(body.utf8)) }
            throw CancellationError()
        }
    }

    /// What one play shows: its title, its mark and its remark.
    private static func play(in environment: RelayEnvironment) throws -> [JSONValue?] {
        try environment.update { store -> [JSONValue?] in
            let play = store.get("p1")
            return [
                play?.value(forField: "title"), play?.value(forField: "isMarked"),
                play?.linkedRecord(forField: "remark")?.value(forField: "note"),
            ]
        }
    }

    /// No server answers fields of the client, so the application may expect them with the rest of an answer.
    @Test func anExpectedAnswerHasClientFields() async throws {
        let network = Hold()
        let environment = RelayEnvironment(network: network)
        let row = #"{"key":"p1","title":"Hamlet","isMarked":false}"#
        let page = #""page":{"last":null,"first":null,"more":false,"before":false}"#
        let list = #"{"items":[{"entry":\#(row),"position":"1"}],\#(page)}"#
        let plays = #"{"data":{"theatre":{"name":"Globe","plays":\#(list)}}}"#
        try environment.publish(.response(json: plays), for: PlaysQuery(count: 1))
        let handle = QueryHandle<PlaysQuery>(in: environment, fetchPolicy: .storeOnly)
        let items = try #require(handle.get(count: 1).data?.theatre.plays?.items)
        let line = FragmentHandle(try #require(items.first??.entry?.fragments.playLine), in: environment)
        // What a server says in a field of this name belongs to another schema.
        #expect(line.get().data?.title == "Hamlet" && line.get().data?.isMarked == nil)
        async let answer = environment.commit(
            RenamePlayMutation(key: "p1", title: "Prince"),
            optimistic: .response(
                .init(rename: .init(title: "Prince?", isMarked: true, remark: .init(note: "renamed"), key: "p1"))
            ) { store, data in
                #expect(data?.rename?.remark?.note == "renamed")
            })
        while line.get().data?.title == "Hamlet" { await Task.yield() }
        #expect(line.get().data?.title == "Prince?" && line.get().data?.isMarked == true)
        network.answer(#"{"data":{"rename":{"key":"p1","title":"Prince","isMarked":true}}}"#)
        let response = try await answer
        #expect(response.data?.rename?.title == "Prince" && response.data?.rename?.isMarked == nil)
        #expect(line.get().data?.title == "Prince" && line.get().data?.isMarked == nil)
    }

    /// Data that the application publishes is made by hand too, but a response is not.
    @Test func publishedDataHasClientFields() throws {
        let environment = RelayEnvironment(network: MockNetwork())
        let mutation = RenamePlayMutation(key: "p1", title: "Prince")
        let json = #"{"rename":{"key":"p1","title":"Prince","isMarked":true,"remark":{"note":"n"}}}"#
        try environment.publish(.response(json: #"{"data":\#(json)}"#), for: mutation)
        #expect(try Self.play(in: environment) == ["Prince", nil, nil])
        try environment.publish(.data(json: json), for: mutation)
        #expect(try Self.play(in: environment) == ["Prince", true, "n"])
        try environment.publish(.data(.init(rename: .init(isMarked: false, key: "p1"))), for: mutation)
        #expect(try Self.play(in: environment) == ["Prince", false, "n"])
    }

    /// Fields of the client in fragments, and in the edges of a connection.
    @Test func clientFieldsStandBesideThoseOfTheServer() async throws {
        let environment = try ConfiguredTests.environment()
        let data = try #require(try await environment.fetch(PlaysQuery(count: 2)).data)
        let handle = QueryHandle<PlaysQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(handle.get(count: 2).data == data && !handle.isMissingData)
        try environment.update { store in
            try store.get(DataID("p1"))?.setValue(true, forField: "isMarked")
            let theatre = try #require(store.root.linkedRecord(forField: "theatre"))
            let plays = try #require(store.get(.connection(on: theatre.dataID, key: "Theatre_plays")))
            try plays.linkedRecords(forField: "items")?.first??.setValue(true, forField: "isNew")
        }
        let items = try #require(handle.get(count: 2).data?.theatre.plays?.items)
        #expect(items.map { $0?.isNew } == [true, nil])
        let lines = items.map { $0?.entry.flatMap { environment.read($0.fragments.playLine) } }
        #expect(lines.map { $0?.isMarked } == [true, nil] && lines.map { $0?.title } == ["Play 1", "Play 2"])
    }
}
