import Testing

@testable import Baton

/// An actor that records its deliveries.
extension ObserverTests {
    /// A body that captured the handle would keep it.
    @Test func aBodyThatGetsTheHandleDoesNotKeepIt() async {
        let stage = Stage()
        let screen = Screen()
        weak var environment: RelayEnvironment?
        weak var released: QueryHandle<Films.FilmQuery>?
        do {
            let own = RelayEnvironment(network: stage.network, log: { _ in })
            let handle = QueryHandle<Films.FilmQuery>(in: own)
            handle.observe(on: screen) { screen, handle, result in
                screen.note(row: result.data?.film?.title ?? "fetching: \(handle.isFetching)")
            }
            _ = handle.get(id: "1")
            while stage.network.waiting == 0 { await Task.yield() }
            stage.network.answer(Films.film("1", "one"))
            while await screen.rows.last != "one" { await Task.yield() }
            (environment, released) = (own, handle)
        }
        await until { [weak released] in released == nil }
        await until { [weak environment] in environment == nil }
        #expect(await screen.rows.last == "one")
    }

    @MainActor @Test func aBodyOnTheMainActorGetsTheHandleToo() async {
        let stage = Stage()
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let titles = Titles()
        handle.observe(on: MainActor.shared) { _, handle, result in
            MainActor.assumeIsolated { titles.all.append("\(handle.isFetching) \(result.isLoading)") }
        }
        while titles.all.isEmpty { await Task.yield() }
        #expect(titles.all == ["false true"])
    }

    @MainActor private final class Titles {
        var all: [String] = []
    }
}

actor Screen {
    private(set) var titles: [String?] = []
    private(set) var results: [QueryResult<Films.FilmQuery.Data>] = []
    private(set) var rows: [String] = []
    private var token: ObservationToken?

    func note(_ result: QueryResult<Films.FilmQuery.Data>) {
        results.append(result)
        titles.append(result.data?.film?.title)
    }

    func note(row: String) { rows.append(row) }

    func cancel(_ token: ObservationToken, after publish: @Sendable () throws -> Void) rethrows -> Int {
        try publish()
        token.cancel()
        return results.count
    }
}

@Suite(.timeLimit(.minutes(20))) struct ObserverTests {
    let stage = Stage()

    private func rename(_ title: String) throws {
        try stage.environment.update { store in try store.get("1")?.setValue(.string(title), forField: "title") }
    }

    private func shownHandle() async -> QueryHandle<Films.FilmQuery> {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        return handle
    }

    @Test func theCurrentStateIsDeliveredOnRegistrationAndNothingIsAskedFor() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(result) }
        await stage.settle()
        #expect(await screen.results == [.loading])
        #expect(stage.network.sent.isEmpty)
    }

    @Test func oneDeliveryForEachPublishThatChangesWhatIsRead() async throws {
        let handle = await shownHandle()
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(result) }
        await stage.settle()
        for title in ["two", "two", "three"] {
            try rename(title)
            await stage.settle()
        }
        // The update changes a field that this handle does not read, and makes a film that it does not show.
        try stage.environment.update { store in
            try store.get("1")?.setValue(true, forField: "favourite")
            try store.create("77", type: "Film").setValue("x", forField: "title")
        }
        await stage.settle()
        #expect(await screen.titles == ["one", "two", "three"])
    }

    @Test func deliveriesAreCoalescedToTheNewestAndInOrder() async throws {
        let handle = await shownHandle()
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(result) }
        for number in 1...200 { try rename("title \(String(repeating: "i", count: number))") }
        await stage.settle()
        let titles = await screen.titles.compactMap { $0 }
        #expect(titles.last?.count == 206)
        #expect(titles == titles.sorted(), "never an older state after a newer one")
        #expect(Set(titles).count == titles.count)
    }

    @Test func nothingIsDeliveredOnceCancelHasReturnedOnTheActor() async throws {
        let handle = await shownHandle()
        for number in 0..<50 {
            let screen = Screen()
            let token = handle.observe(on: screen) { screen, result in screen.note(result) }
            let count = try await screen.cancel(token) { try rename("round \(number)") }
            await stage.settle()
            #expect(await screen.results.count == count)
        }
    }

    @Test func observersAreHeldWeakly() async throws {
        let handle = await shownHandle()
        var screen: Screen? = Screen()
        weak let dead = screen
        if let screen { handle.observe(on: screen) { screen, result in screen.note(result) } }
        await stage.settle()
        screen = nil
        // The task of the last delivery may hold the actor a moment longer. A strong observer would hold it until the
        // time limit.
        while dead != nil { await Task.yield() }
        stage.log.clear()
        try rename("two")
        await stage.settle()
        #expect(stage.log.deliveries.isEmpty)
    }

    @Test func aBodyMayAskAgain() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in
            screen.note(result)
            _ = handle.get(id: "1", fetchKey: screen.titles.contains("one") ? "again" : nil)
        }
        await stage.answer(Films.film("1", "one"))
        #expect(stage.network.sent.count == 2)
        await stage.answer(Films.film("1", "two"))
        #expect(await screen.titles.contains("one"))
    }

    @Test func aChangeOfStatusIsDeliveredThoughTheResultIsEqual() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        let screen = Screen()
        _ = handle.get(id: "1")
        handle.observe(on: screen) { screen, result in screen.note(result) }
        await stage.answer(Films.film("1", "one"))
        #expect(await screen.titles == ["one", "one"], "while fetching, and after")
        #expect(stage.log.deliveries.map(\.cause) == [.registration, .handle])
    }

    @Test func aTokenKeepsNeitherTheBodyNorTheHandlesData() async throws {
        final class Payload: Sendable {}
        var payload: Payload? = Payload()
        weak let body = payload
        let screen = Screen()
        var handle: QueryHandle<Films.FilmQuery>? = await shownHandle()
        let tokens = [false, true].compactMap { [payload] _ in
            handle?.observe(on: screen) { _, _ in _ = payload }
        }
        payload = nil
        await stage.settle()
        tokens[0].cancel()
        #expect(body != nil)
        handle = nil
        await stage.settle()
        while body != nil { await Task.yield() }
        tokens[1].cancel()
    }

    /// An actor that owns the handle that it observes.
    actor Owner {
        let handle: QueryHandle<Films.FilmQuery>
        init(_ handle: QueryHandle<Films.FilmQuery>) { self.handle = handle }
    }

    @Test func anObservingActorMayDieWithItsHandleAtAnyMoment() async throws {
        for number in 0..<200 {
            var owner: Owner? = Owner(await shownHandle())
            if let owner { owner.handle.observe(on: owner) { owner, _ in _ = owner.handle.get(id: "1") } }
            async let renaming: Void = rename("round \(number)")
            owner = nil
            try await renaming
        }
        await stage.settle()
        #expect(stage.environment.store.subscriptionCount == 0)
    }

    @MainActor @Test func theMainActorIsToldOnTheMainActor() async throws {
        let handle = await shownHandle()
        final class Label {
            var titles: [String?] = []
        }
        let label = Label()
        let token = handle.observe(on: .shared) { result in label.titles.append(result.data?.film?.title) }
        await stage.settle()
        try rename("two")
        await stage.settle()
        token.cancel()
        try rename("three")
        await stage.settle()
        #expect(label.titles == ["one", "two"])
    }

    @Test func resultsStartWithTheCurrentStateAndEndWithTheHandle() async throws {
        var handle: QueryHandle<Films.FilmQuery>? = QueryHandle(in: stage.environment)
        var iterator = try #require(handle).results.makeAsyncIterator()
        #expect(await iterator.next()?.isLoading == true)
        // A change of `isFetching` alone is no other state.
        _ = handle?.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(await iterator.next()?.data?.film?.title == "one")
        try rename("two")
        try rename("three")
        #expect(await iterator.next()?.data?.film?.title == "three")
        handle = nil
        #expect(await iterator.next() == nil)
    }

    @Test func resultsEndWhileSomebodyWaits() async {
        var handle: QueryHandle<Films.FilmQuery>? = QueryHandle(in: stage.environment)
        guard let results = handle?.results else { return }
        let task = Task {
            var count = 0
            for await _ in results { count += 1 }
            return count
        }
        while stage.environment.activity.counts.revision < 0 { await Task.yield() }
        handle = nil
        #expect(await task.value <= 1)
        let cancelled = Task { for await _ in QueryHandle<Films.FilmQuery>(in: stage.environment).results {} }
        cancelled.cancel()
        await cancelled.value
    }

    @Test func observersThatAreGoneAreRemovedWhenOthersCome() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let bystander = Screen()
        handle.observe(on: bystander) { _, _ in }
        for _ in 0..<10_000 {
            let screen = Screen()
            handle.observe(on: screen) { _, _ in }
            await stage.settle()
        }
        #expect(handle.core.observers.count < 100)
    }
}
