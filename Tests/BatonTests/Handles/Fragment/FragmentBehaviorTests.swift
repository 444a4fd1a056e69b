import Testing

@testable import Baton

/// The guarantees that `FragmentHandle` and `PluralFragmentHandle` document, one by one.
@Suite(.timeLimit(.minutes(20))) struct FragmentBehaviorTests {
    typealias RowHandle = FragmentHandle<Films.FilmRow>
    let stage = Stage()

    /// Returns a handle on a list of films, and the references of its rows.
    private func list(_ count: Int) async throws -> (
        QueryHandle<Films.ListQuery>, [FragmentReference<Films.FilmRow>]
    ) {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = list.get()
        await stage.answer(Films.list(count))
        return (list, try #require(list.get().data?.films).compactMap { $0?.row })
    }

    private func set(_ field: String, _ value: JSONValue, of id: DataID) throws {
        try stage.environment.update { store in try store.get(id)?.setValue(value, forField: field) }
    }

    @Test("A handle shows the fields of its fragment, and changes of other fields do not notify it.")
    func onlyOwnFields() async throws {
        let (_, rows) = try await list(1)
        let handle = RowHandle(rows[0], in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.title ?? "-") }
        await stage.settle()
        try set("rating", 3, of: "1")
        try set("title", "other", of: "1")
        await stage.settle()
        #expect(await screen.rows == ["Film 1", "other"])
    }

    @Test("A handle never sends a request, unless `refetch` or the loading of a page is called.")
    func noRequest() async throws {
        let (list, rows) = try await list(1)
        let handle = RowHandle(rows[0], in: stage.environment)
        try stage.environment.update { store in try store.get("1")?.invalidate() }
        _ = handle.get()
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        withExtendedLifetime(list) {}
    }

    @Test("A handle without a reference shows `.success(nil)`.")
    func noReference() async throws {
        let (_, rows) = try await list(1)
        let handle = RowHandle(nil, in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.title ?? "\(result.isLoading)") }
        await stage.settle()
        #expect(handle.get() == .success(nil) && handle.reference == nil && handle.errors == [])
        #expect(!handle.isMissingData)
        handle.show(rows[0])
        #expect(handle.get().data?.title == "Film 1")
        await stage.settle()
        handle.show(nil)
        #expect(handle.get() == .success(nil))
        await stage.settle()
        #expect(await screen.rows == ["false", "Film 1", "false"])
    }

    @Test("A changed reference shows its data at once, and an equal one changes nothing.")
    func changedReference() async throws {
        let (list, rows) = try await list(2)
        let handle = RowHandle(rows[0], in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.title ?? "-") }
        await stage.settle()
        let again = try #require(list.get().data?.films.first??.row)
        handle.show(again)
        await stage.settle()
        handle.show(rows[1])
        #expect(handle.get().data?.title == "Film 2")
        await stage.settle()
        #expect(await screen.rows == ["Film 1", "Film 2"])
    }

    /// Puts a film into the list of which only the identity is known, and returns its reference.
    private func bareRow(_ id: Int, in list: QueryHandle<Films.ListQuery>) throws -> FragmentReference<Films.FilmRow> {
        try stage.environment.update { store in
            let film = try store.create(DataID("\(id)"), type: "Film")
            try film.setValue(.string("\(id)"), forField: "id")
            try store.root.setLinkedRecords([film], forField: "films")
        }
        return try #require(list.get().data?.films.first??.row)
    }

    @Test("Data that a request of its owner may bring is loading.")
    func loadingOwner() async throws {
        let (list, _) = try await list(1)
        let handle = RowHandle(try bareRow(2, in: list), in: stage.environment)
        #expect(handle.get() == .success(nil) && handle.isMissingData)
        _ = list.get(fetchKey: 1)
        #expect(handle.get() == .loading)
        await stage.answer(Films.list(2))
        #expect(handle.get().data?.title == "Film 2" && !handle.isMissingData)
    }

    /// Returns the references of two todos, of which the second one has an error in place of its text.
    private func todos() async throws -> (QueryHandle<Todos.TextsQuery>, [Todos.TextsQuery.Data.Todo]) {
        let texts = QueryHandle<Todos.TextsQuery>(in: stage.environment)
        _ = texts.get()
        await stage.answer(
            #"{"data":{"todos":[{"id":"1","text":"one"},{"id":"2","text":null}]},"#
                + #""errors":[{"message":"broken","path":["todos",1,"text"]}]}"#)
        return (texts, try #require(texts.get().data?.todos).compactMap { $0 })
    }

    @Test("A field with an error makes a fragment with `@throwOnFieldError` a failure.")
    func throwOnFieldError() async throws {
        let (texts, todos) = try await todos()
        let handles = todos.map { FragmentHandle($0.strict, in: stage.environment) }
        #expect(handles[0].get().data?.text == "one")
        #expect(handles[1].get().fieldErrors.count == 1)
        try set("text", "two", of: "2")
        #expect(handles[1].get().data?.text == "two")
        withExtendedLifetime(texts) {}
    }

    @Test("An error that `@catch` has caught is part of the data.")
    func caught() async throws {
        let (texts, todos) = try await todos()
        let handles = todos.map { FragmentHandle($0.caught, in: stage.environment) }
        #expect(handles[0].get().data?.text == .success("one"))
        guard case .failure(let errors)? = handles[1].get().data?.text else {
            Issue.record("the error is not in the data")
            return
        }
        #expect(errors.count == 1)
        withExtendedLifetime(texts) {}
    }

    @Test("The data is retained from the making of the handle to its end.")
    func retained() async throws {
        let stage = Stage(releaseBufferSize: 0)
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = list.get()
        await stage.answer(Films.list(1))
        let owner = try #require(list.core.operation)
        #expect(stage.environment.store.operations.holderCount(of: owner) == 1)
        var handle: RowHandle? = try #require(list.get().data?.films.first??.row)
            .map { RowHandle($0, in: stage.environment) }
        #expect(stage.environment.store.operations.holderCount(of: owner) == 2)
        #expect(handle?.get().data?.title == "Film 1")
        handle = nil
        #expect(stage.environment.store.operations.holderCount(of: owner) == 1)
    }

    @Test("Observers get the current state and every newer one, in order, and none after the end of the handle.")
    func observers() async throws {
        let (_, rows) = try await list(1)
        var handle: RowHandle? = RowHandle(rows[0], in: stage.environment)
        let screen = Screen()
        handle?.observe(on: screen) { screen, result in screen.note(row: result.data?.title ?? "-") }
        await stage.settle()
        for title in ["a", "b"] {
            try set("title", .string(title), of: "1")
            await stage.settle()
        }
        handle = nil
        try set("title", "c", of: "1")
        await stage.settle()
        #expect(await screen.rows == ["Film 1", "a", "b"])
    }

    // MARK: - Plural

    @Test("The data stands in the order of the references, with nil for a record that has none.")
    func pluralOrder() async throws {
        let (_, rows) = try await list(3)
        let handle = PluralFragmentHandle([rows[2], rows[0], rows[1]], in: stage.environment)
        stage.environment.store.acceptValuesOfAnyType()
        try set("title", .null, of: "1")
        #expect(handle.get().data?.map { $0?.title } == ["Film 3", nil, "Film 2"])
        handle.show(rows.prefix(1))
        #expect(handle.get().data?.count == 1 && handle.references == [rows[0]])
        handle.show([])
        #expect(handle.get() == .success([]))
    }

    @Test("While one record is loading, all of them are.")
    func pluralLoading() async throws {
        let (list, rows) = try await list(1)
        let handle = PluralFragmentHandle(rows + [try bareRow(2, in: list)], in: stage.environment)
        #expect(handle.get().data?.map { $0?.title } == ["Film 1", nil] && handle.isMissingData)
        _ = list.get(fetchKey: 1)
        #expect(handle.get() == .loading)
        await stage.answer(Films.list(2))
        #expect(handle.get().data?.map { $0?.title } == ["Film 1", "Film 2"])
    }

    @Test("The first failure is the failure of all.")
    func pluralFailure() async throws {
        let (texts, todos) = try await todos()
        let handle = PluralFragmentHandle(todos.map(\.strict), in: stage.environment)
        #expect(handle.get().fieldErrors.count == 1)
        withExtendedLifetime(texts) {}
    }

    @Test("A change of one record tells the observers once.")
    func pluralObservers() async throws {
        let (_, rows) = try await list(20)
        let handle = PluralFragmentHandle(rows, in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?[6]?.title ?? "-") }
        await stage.settle()
        try set("title", "seven", of: "7")
        await stage.settle()
        handle.show(rows.reversed())
        await stage.settle()
        #expect(await screen.rows == ["Film 7", "seven", "Film 14"])
    }

    @Test("References that stay are not read again.")
    func pluralReuse() async throws {
        let (_, rows) = try await list(3)
        let handle = PluralFragmentHandle(rows, in: stage.environment)
        _ = handle.get()
        let owner = try #require(rows.first).owner
        let before = stage.environment.store.operations.holderCount(of: owner)
        handle.show(Array(rows.dropFirst()) + [rows[1]])
        #expect(handle.get().data?.map { $0?.title } == ["Film 2", "Film 3", "Film 2"])
        #expect(stage.environment.store.operations.holderCount(of: owner) == before)
    }
}
