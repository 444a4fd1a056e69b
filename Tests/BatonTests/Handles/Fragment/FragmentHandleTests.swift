import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct FragmentHandleTests {
    typealias RowHandle = FragmentHandle<Films.FilmRow>
    let stage = Stage()

    /// Returns a handle on a list of films, and a handle for each row.
    private func rows(_ count: Int) async throws -> (QueryHandle<Films.ListQuery>, [RowHandle]) {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = list.get()
        await stage.answer(Films.list(count))
        let films = try #require(list.get().data?.films)
        return (list, films.compactMap { $0.map { RowHandle($0.row, in: stage.environment) } })
    }

    @Test func aRowShowsItsFields() async throws {
        let (_, rows) = try await rows(3)
        #expect(rows[1].get().data?.title == "Film 2")
        #expect(rows[1].get().data?.director?.name == "Irvin")
        #expect(!rows[1].isMissingData)
        let row = try #require(rows.last)
        #expect(row.reference.flatMap(stage.environment.read)?.title == "Film 3")
    }

    @Test func onlyTheRowWhoseFieldsChangedIsTold() async throws {
        let (list, rows) = try await rows(20)
        let screen = Screen()
        list.observe(on: screen) { screen, _ in screen.note(row: "list") }
        for (number, row) in rows.enumerated() {
            row.observe(on: screen) { screen, result in
                screen.note(row: "\(number + 1) \(result.data?.favourite == true)")
            }
        }
        await stage.settle()
        #expect(await screen.rows.count == 21)
        stage.log.clear()

        async let response = stage.environment.commit(
            Films.SetFavouriteMutation(variables: .init(id: "7", favourite: true)))
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.answer(Films.favourite("7", true))
        #expect(try await response.data?.setFavourite?.film?.favourite == true)
        await stage.settle()
        #expect(await screen.rows.dropFirst(21) == ["7 true"])

        let publish = try #require(stage.log.publishes.last)
        #expect(stage.log.publishes.count == 1)
        #expect(publish.recordsChanged == 1 && publish.componentsNotified == 1)
        let deliveries = stage.log.deliveries
        #expect(deliveries == [LogEvent.Delivery(component: "FilmRow", cause: .storeChange, publish: publish.number)])

        // The director is one record that every row reads.
        try stage.environment.update { store in try store.get("p1")?.setValue("Kersh", forField: "name") }
        await stage.settle()
        #expect(stage.log.publishes.last?.componentsNotified == 20)
        #expect(stage.log.deliveries.count == 21)
    }

    @Test func aRefetchThatBringsTheSameTellsNobody() async throws {
        let (list, rows) = try await rows(20)
        let screen = Screen()
        list.observe(on: screen) { screen, _ in screen.note(row: "list") }
        for row in rows { row.observe(on: screen) { screen, _ in screen.note(row: "row") } }
        await stage.settle()
        stage.log.clear()
        _ = list.get(fetchKey: 1)
        await stage.answer(Films.list(20))
        let publish = try #require(stage.log.publishes.first)
        #expect(publish.recordsChanged == 0 && publish.componentsNotified == 0)
        #expect(!stage.log.deliveries.contains { $0.publish != nil })
        #expect(await !screen.rows.dropFirst(21).contains("row"))
    }

    @Test func aHandleMovesToAnotherReference() async throws {
        let (_, rows) = try await rows(3)
        let handle = RowHandle(rows[0].reference, in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.title ?? "-") }
        await stage.settle()
        handle.show(rows[2].reference)
        handle.show(rows[2].reference)
        #expect(handle.get().data?.title == "Film 3")
        await stage.settle()
        try stage.environment.update { store in
            try store.get("1")?.setValue("unseen", forField: "title")
            try store.get("3")?.setValue("seen", forField: "title")
        }
        await stage.settle()
        #expect(await screen.rows == ["Film 1", "Film 3", "seen"])
    }

    /// Returns a list with a film of which only the identity is known.
    private func bareRow() throws -> (QueryHandle<Films.ListQuery>, RowHandle) {
        try stage.environment.update { store in
            let film = try store.create("1", type: "Film")
            try film.setValue("1", forField: "id")
            try store.root.setLinkedRecords([film], forField: "films")
        }
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let film = try #require(list.get().data?.films.first ?? nil)
        return (list, RowHandle(film.row, in: stage.environment))
    }

    @Test func whatIsMissingIsLoadingWhileItsOperationIsInFlight() async throws {
        let (list, row) = try bareRow()
        #expect(row.get() == .success(nil))
        #expect(row.isMissingData)

        let fetching = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = fetching.get()
        let screen = Screen()
        let film = try #require(list.get().data?.films.first ?? nil)
        let late = RowHandle(film.row, in: stage.environment)
        late.observe(on: screen) { screen, result in
            screen.note(row: result.isLoading ? "loading" : result.data?.title ?? "failure")
        }
        #expect(late.get() == .loading)
        await stage.fail()
        #expect(late.get() == .failure(.transport(Unreachable())))

        fetching.retry()
        await stage.settle()
        #expect(row.get() == .loading, "also where it was read before the request began")
        await stage.answer(#"{"data":null,"errors":[{"message":"down"}]}"#)
        #expect(late.get() == .failure(.noData([GraphQLError(message: "down")])))
        fetching.retry()
        await stage.answer(Films.list(1))
        #expect(late.get().data?.title == "Film 1")
        #expect(row.get().data?.title == "Film 1")
        #expect(await screen.rows == ["loading", "failure", "loading", "failure", "loading", "Film 1"])
    }

    /// Threads read and change the reference at once. Whoever ends a watch must not end that of a newer read.
    @Test func whatIsMissingIsWatchedHoweverReadsAndChangesMeet() async throws {
        let (list, row) = try bareRow()
        let reference = row.reference
        let owner = try #require(reference?.target.owner)
        for round in 0..<6_000 {
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for step in 0..<4 {
                            if (worker + step) % 2 == 0 { row.show((round + step) % 3 == 0 ? nil : reference) }
                            _ = row.get()
                        }
                        row.show(reference)
                        _ = row.get()
                    }
                }
            }
            #expect(row.get() == .success(nil) && row.isMissingData)
            #expect(stage.environment.lastFetches.watchers(of: owner).count == 1, "round \(round)")
        }
        row.show(nil)
        _ = row.get()
        #expect(stage.environment.lastFetches.watchers(of: owner).isEmpty)
        withExtendedLifetime(list) {}
    }

    @Test func aForeignReferenceIsAFailure() async throws {
        let (_, rows) = try await rows(1)
        let other = Stage().environment
        #expect(rows[0].reference.flatMap(other.read) == nil)
        #expect(
            RowHandle(rows[0].reference, in: other).get() == .failure(.foreignReference(fragment: "FilmRow")))
    }

    @Test func aReferenceOutlivesEverythingElse() async throws {
        var reference: FragmentReference<Films.FilmRow>?
        do {
            let stage = Stage()
            try await stage.seed(Films.ListQuery(), Films.list(1))
            let response = try? await stage.environment.fetch(Films.ListQuery(), policy: .storeOnly)
            reference = response?.data?.films[0]?.row
        }
        let kept = try #require(reference)
        let row = RowHandle(kept, in: stage.environment)
        #expect(row.get().error == .foreignReference(fragment: "FilmRow"))
    }

    @Test func errorsAreThoseWhosePathLiesInTheFragment() async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = list.get()
        await stage.answer(
            #"{"data":{"films":[{"id":"1","title":"one","favourite":null,"director":null},"#
                + #"{"id":"2","title":"two","favourite":true,"director":null}],"total":null},"errors":["#
                + #"{"message":"a","path":["films",0,"favourite"]},{"message":"b","path":["films",1,"director","name"]},"#
                + #"{"message":"c","path":["total"]},{"message":"d"}]}"#)
        let films = try #require(list.get().data?.films)
        let rows = films.compactMap { $0.map { RowHandle($0.row, in: stage.environment) } }
        #expect(list.errors.map(\.message) == ["a", "b", "c", "d"])
        #expect(rows[0].errors.map(\.message) == ["a"])
        #expect(rows[1].errors.map(\.message) == ["b"])
    }

    @Test func resultsOfARowEndWithIt() async throws {
        let (_, rows) = try await rows(1)
        var row: RowHandle? = RowHandle(rows[0].reference, in: stage.environment)
        var iterator = try #require(row).results.makeAsyncIterator()
        #expect(await iterator.next()?.data?.title == "Film 1")
        row = nil
        #expect(await iterator.next() == nil)
    }
}
