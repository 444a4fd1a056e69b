import Synchronization
import Testing

@testable import Baton

/// Optimistic changes through the environment.
@Suite(.timeLimit(.minutes(20))) struct OptimisticTests {
    let stage = Stage()
    typealias Mutation = Films.SetFavouriteMutation

    /// A hand-made value in the form of the generated raw response of the mutation.
    struct Expected: GeneratedCode.RawResponse {
        typealias Operation = Mutation
        let id: String
        let favourite: Bool
        var jsonValue: JSONValue { ["setFavourite": ["film": ["id": .string(id), "favourite": .bool(favourite)]]] }
    }

    private func mutation(_ id: String, _ favourite: Bool = true) -> Mutation {
        Mutation(variables: .init(id: id, favourite: favourite))
    }

    private func commit(
        _ mutation: Mutation, _ optimistic: OptimisticUpdate<Mutation>?,
        update: (@Sendable (RecordSourceProxy, Mutation.Data) throws -> Void)? = nil
    ) async -> Task<GraphQLResponse<Mutation>, any Error> {
        let environment = stage.environment
        let waiting = stage.network.waiting
        let task = Task { try await environment.commit(mutation, optimistic: optimistic, update: update) }
        while stage.network.waiting == waiting { await Task.yield() }
        return task
    }

    private func list(_ count: Int) async throws -> QueryHandle<Films.ListQuery> {
        let handle = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get()
        await stage.answer(Films.list(count))
        stage.log.clear()
        return handle
    }

    private func favourites(_ handle: QueryHandle<Films.ListQuery>) -> [Bool?] {
        handle.get().data?.films.map { film in film.flatMap { stage.environment.read($0.row)?.favourite } } ?? []
    }

    static let changes: [OptimisticUpdate<Mutation>] = [
        .response(["setFavourite": ["film": ["id": "1", "favourite": true]]]),
        .response(Expected(id: "1", favourite: true)),
        .update { try $0.get("1")?.setValue(true, forField: "favourite") },
    ]

    @Test("The response replaces the optimistic change in one publish.", arguments: changes.indices)
    func theAnswerTakesThePlaceOfTheChangeInOnePublish(_ index: Int) async throws {
        let films = try await list(2)
        let task = await commit(mutation("1"), Self.changes[index])
        #expect(favourites(films) == [true, false])
        #expect(stage.log.publishes.map(\.source) == [.optimistic(operationName: "SetFavourite")])
        // The records of the expected answer, which nothing else reads, are not counted.
        #expect(stage.log.publishes.first?.recordsChanged == 1)
        stage.log.clear()
        stage.network.answer(Films.favourite("1", true))
        let response = try await task.value
        #expect(response.data?.setFavourite?.film?.favourite == true)
        await stage.settle()
        #expect(favourites(films) == [true, false])
        // The response equals the expected one, so no handle is notified.
        #expect(stage.log.publishes.count == 1)
        #expect(stage.log.publishes.first?.componentsNotified == 0)
        #expect(stage.environment.store.layerCount == 0)
        #expect(stage.environment.store.records.covered.isEmpty)
    }

    @Test("The optimistic change is taken back when the mutation fails.", arguments: changes.indices)
    func whatIsChangedIsTakenBackWhenTheMutationFails(_ index: Int) async throws {
        let films = try await list(2)
        let task = await commit(mutation("1"), Self.changes[index])
        #expect(favourites(films) == [true, false])
        stage.network.fail()
        await #expect(throws: RelayError.self) { try await task.value }
        #expect(favourites(films) == [false, false])
        #expect(stage.log.publishes.last?.source == .revert(operationName: "SetFavourite"))
    }

    @Test("The optimistic change is taken back when the task is cancelled.")
    func whatIsChangedIsTakenBackWhenTheTaskIsCancelled() async throws {
        let films = try await list(2)
        let task = await commit(mutation("1"), Self.changes[0])
        #expect(favourites(films) == [true, false])
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        #expect(favourites(films) == [false, false])
    }

    @Test func whatIsChangedIsTakenBackWhenThereIsNoData() async throws {
        let films = try await list(2)
        let task = await commit(mutation("1"), Self.changes[1])
        stage.network.answer(QueryHandleTests.noDataWithErrors)
        _ = try await task.value
        #expect(favourites(films) == [false, false])
    }

    @Test func anUpdaterThatThrowsTakesTheChangeBackToo() async throws {
        let films = try await list(2)
        let task = await commit(mutation("1"), Self.changes[1]) { _, _ in throw Unreachable() }
        stage.network.answer(Films.favourite("1", true))
        await #expect(throws: RelayError.updater(Unreachable())) { try await task.value }
        #expect(favourites(films) == [false, false])
    }

    @Test func severalMutationsAreAnsweredInAnyOrder() async throws {
        let films = try await list(3)
        let first = await commit(mutation("1"), .response(Expected(id: "1", favourite: true)))
        let second = await commit(mutation("2"), .response(Expected(id: "2", favourite: true)))
        let third = await commit(mutation("3"), .response(Expected(id: "3", favourite: true)))
        #expect(favourites(films) == [true, true, true])
        stage.network.answerNewest(Films.favourite("3", false))
        _ = try await third.value
        #expect(favourites(films) == [true, true, false])
        stage.network.answer(Films.favourite("1", true))
        _ = try await first.value
        stage.network.fail()
        await #expect(throws: RelayError.self) { try await second.value }
        #expect(favourites(films) == [true, false, false])
    }

    @Test func updatesAndUpdatersSeeTheBaseAndLandBelow() async throws {
        let films = try await list(1)
        let task = await commit(mutation("1"), Self.changes[2]) { store, data in
            // The updater does not see the optimistic change, but sees the response.
            #expect(data.setFavourite?.film?.favourite == false)
            #expect(store.get("1")?.value(forField: "favourite") == false)
            #expect(store.get("1")?.value(forField: "title") == "below")
        }
        try stage.environment.update { store in
            #expect(store.get("1")?.value(forField: "favourite") == false)
            try store.get("1")?.setValue("below", forField: "title")
            try store.get("1")?.setValue(nil, forField: "favourite")
        }
        #expect(favourites(films) == [true])
        stage.network.answer(Films.favourite("1", false))
        let response = try await task.value
        #expect(response.data?.setFavourite?.film?.favourite == false)
        #expect(favourites(films) == [false])
    }

    @Test func theResponseOfAMutationHoldsNothingOfOthers() async throws {
        _ = try await list(1)
        let update = stage.environment.applyUpdate { try $0.get("1")?.setValue(true, forField: "favourite") }
        let task = await commit(mutation("1", false), nil)
        stage.network.answer(Films.favourite("1", false))
        #expect(try await task.value.data?.setFavourite?.film?.favourite == false)
        update.revert()
    }

    @Test func aResponseThatDoesNotFitChangesNothing() async throws {
        let films = try await list(1)
        let task = await commit(mutation("1"), .response(["setFavourite": ["film": ["id": "1", "favourite": "yes"]]]))
        #expect(favourites(films) == [false])
        #expect(stage.log.failedUpdates == [.optimistic(operationName: "SetFavourite")])
        stage.network.answer(Films.favourite("1", true))
        _ = try await task.value
        #expect(favourites(films) == [true])
    }

    // MARK: - A response with an update

    @Test("An optimistic response and an update are shown and removed together.")
    func aResponseAndAnUpdateAreShownTogether() async throws {
        let films = try await list(2)
        let seen = Mutex<[Bool?]>([])
        let task = await commit(
            mutation("1"),
            .response(Expected(id: "1", favourite: true)) { store, data in
                seen.withLock { $0.append(data?.setFavourite?.film?.favourite) }
                let payload = store.rootField("setFavourite", arguments: ["id": "1", "favourite": true])
                let film = try #require(payload?.linkedRecord(forField: "film"))
                #expect(film.value(forField: "favourite") == true)
                let title = film.value(forField: "title") ?? .null
                try film.setValue(title == "Film 1" ? "Best" : "Other", forField: "title")
                try store.get("2")?.setValue(true, forField: "favourite")
            })
        #expect(favourites(films) == [true, true])
        #expect(stage.log.publishes.map(\.source) == [.optimistic(operationName: "SetFavourite")])
        #expect(seen.withLock { $0 } == [true])
        #expect(titles(films) == ["Best", "Film 2"])
        // The update runs again, because it has read the title.
        try stage.environment.update { try $0.get("1")?.setValue("Film 0", forField: "title") }
        #expect(titles(films) == ["Other", "Film 2"])
        #expect(seen.withLock { $0 } == [true, true])
        stage.log.clear()
        stage.network.answer(Films.favourite("1", true))
        _ = try await task.value
        #expect(favourites(films) == [true, false] && titles(films) == ["Film 0", "Film 2"])
        #expect(stage.log.publishes.count == 1)
        #expect(stage.environment.store.layerCount == 0)
    }

    @Test func theUpdateOfAResponseSeesTheLayersBelow() async throws {
        let films = try await list(2)
        let below = stage.environment.applyUpdate { try $0.get("2")?.setValue("below", forField: "title") }
        let seen = Mutex<[String?]>([])
        let task = await commit(
            mutation("1"),
            .response(["setFavourite": ["film": ["id": "1", "favourite": true]]]) { store, data in
                seen.withLock { $0.append(data?.setFavourite?.film?.id) }
                let title = store.get("2")?.value(forField: "title")
                try store.get("1")?.setValue(title == "below" ? "over" : "alone", forField: "title")
            })
        #expect(titles(films) == ["over", "below"])
        below.revert()
        #expect(titles(films) == ["alone", "Film 2"])
        #expect(Set(seen.withLock { $0 }) == ["1"])
        task.cancel()
        _ = await task.result
        #expect(titles(films) == ["Film 1", "Film 2"])
    }

    /// The data of an expected answer is read with all layers, those below included.
    @Test func theDataOfAnExpectedAnswerHasFieldsOfLayersBelow() async throws {
        let films = try await list(1)
        let below = stage.environment.applyUpdate { try $0.get("1")?.setValue(true, forField: "favourite") }
        let seen = Mutex<[Bool?]>([])
        let task = await commit(
            mutation("1"),
            .response(["setFavourite": ["film": ["id": "1"]]]) { _, data in
                seen.withLock { $0.append(data?.setFavourite?.film?.favourite) }
            })
        #expect(seen.withLock { $0 } == [true])
        task.cancel()
        _ = await task.result
        withExtendedLifetime((below, films)) {}
    }

    @Test func anUpdateThatThrowsTakesTheResponseAlong() async throws {
        let films = try await list(1)
        let task = await commit(
            mutation("1"), .response(Expected(id: "1", favourite: true)) { _, _ in throw Unreachable() })
        #expect(favourites(films) == [false])
        #expect(stage.log.failedUpdates == [.optimistic(operationName: "SetFavourite")])
        stage.network.answer(Films.favourite("1", true))
        _ = try await task.value
        #expect(favourites(films) == [true])
    }

    private func titles(_ handle: QueryHandle<Films.ListQuery>) -> [String?] {
        handle.get().data?.films.map { film in film.flatMap { stage.environment.read($0.row)?.title } } ?? []
    }

    // MARK: - Without a mutation

    @Test func anUpdateIsReplacedAndReverted() async throws {
        let films = try await list(2)
        let update = stage.environment.applyUpdate { try $0.get("1")?.setValue(true, forField: "favourite") }
        #expect(favourites(films) == [true, false])
        stage.log.clear()
        update.replace { try $0.get("2")?.setValue(true, forField: "favourite") }
        #expect(stage.log.publishes.count == 1)
        #expect(favourites(films) == [false, true])
        update.revert()
        #expect(favourites(films) == [false, false])
        stage.log.clear()
        update.revert()
        update.replace { try $0.get("2")?.setValue(true, forField: "favourite") }
        #expect(stage.log.publishes.isEmpty)
        #expect(favourites(films) == [false, false])
    }

    @Test func anUpdateIsRevertedWhenItsObjectDies() async throws {
        let films = try await list(1)
        var update: OptimisticLayer? = stage.environment.applyUpdate {
            try $0.get("1")?.setValue(true, forField: "favourite")
        }
        #expect(favourites(films) == [true])
        withExtendedLifetime(update) {}
        update = nil
        #expect(favourites(films) == [false])
    }

    @Test func anUpdaterThatThrowsOnARerunTakesNobodyElseDown() async throws {
        let films = try await list(2)
        let other = stage.environment.applyUpdate { try $0.get("2")?.setValue(true, forField: "favourite") }
        let update = stage.environment.applyUpdate { store in
            guard store.get("1")?.value(forField: "title") != "no" else { throw Unreachable() }
            try store.get("1")?.setValue(true, forField: "favourite")
        }
        #expect(favourites(films) == [true, true])
        try stage.environment.update { try $0.get("1")?.setValue("no", forField: "title") }
        #expect(favourites(films) == [false, true])
        #expect(stage.log.failedUpdates == [.optimistic(operationName: nil)])
        try stage.environment.update { try $0.get("1")?.setValue("yes", forField: "title") }
        #expect(favourites(films) == [true, true])
        withExtendedLifetime((other, update)) {}
    }

    @Test func anUpdaterThatPublishesItselfEnds() async throws {
        let films = try await list(2)
        let environment = stage.environment
        let update = environment.applyUpdate { store in
            try environment.update { try $0.get("1")?.setValue("again", forField: "title") }
            try store.get("1")?.setValue(true, forField: "favourite")
        }
        #expect(favourites(films) == [true, false])
        update.revert()
        #expect(favourites(films) == [false, false])
    }

    @Test func markingTheStoreAsStaleIsIgnored() async throws {
        // Nobody reads while the update is shown.
        let stage = Stage(provoking: [.changeLetGo], clock: HandClock())
        try await stage.seed(Films.ListQuery(), Films.list(1))
        let update = stage.environment.applyUpdate { store in
            try store.invalidateStore()
            try store.get("1")?.invalidate()
        }
        #expect(stage.environment.store.check(stage.environment.store.bind(Films.ListQuery())).isAvailable)
        withExtendedLifetime(update) {}
    }

    @Test func aResetTakesEveryChangeBack() async throws {
        _ = try await list(1)
        let update = stage.environment.applyUpdate { _ = try $0.create("new", type: "Film") }
        stage.environment.reset()
        #expect(stage.environment.store.layerCount == 0)
        #expect(stage.environment.store.records.known.isEmpty)
        update.revert()
    }
}
