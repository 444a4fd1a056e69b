import Testing

@testable import Baton

/// The guarantees that `RenderPolicy` and `Freshness` document, one by one.
@Suite(.timeLimit(.minutes(20))) struct FreshnessTests {
    typealias FilmHandle = QueryHandle<Films.FilmQuery>
    static let others = [FetchPolicy.networkOnly, .networkOrStore, .storeOnly]
    let clock = SleepingClock()
    let stage: Stage

    init() { stage = Stage(clock: clock) }

    private func handle(
        _ policy: FetchPolicy = .storeOrNetwork, _ renderPolicy: RenderPolicy = .full,
        on triggers: Freshness.Triggers = [],
        staleWhileRevalidate: Duration? = nil
    ) -> FilmHandle {
        FilmHandle(
            in: stage.environment, fetchPolicy: policy, renderPolicy: renderPolicy,
            freshness: Freshness(refetchOn: triggers, staleWhileRevalidate: staleWhileRevalidate))
    }

    /// A handle that shows film 1 by a response of its own.
    private func shown(on triggers: Freshness.Triggers) async -> FilmHandle {
        let handle = handle(on: triggers)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(title(handle) == "one")
        return handle
    }

    private func title(_ handle: FilmHandle) -> String? { handle.get(id: "1").data?.film?.title }

    private var sent: Int { stage.network.sent.count }

    /// Waits until this many requests were sent, and nothing else is under way.
    private func untilSent(_ count: Int) async {
        while sent < count { await Task.yield() }
        await stage.settle()
    }

    /// Gives film 1 another identity, under which the store has nothing but the title, and looks at it.
    private func loseRating(_ handle: FilmHandle) async throws {
        try stage.environment.update { try $0.loseRating() }
        _ = handle.get(id: "1")
        await stage.settle()
    }

    // MARK: - Parts

    @Test("With `.partial`, the data in the store is shown at once, and missing fields are nil.")
    func parts() async throws {
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"half"}}}"#)
        let handle = handle(.storeOrNetwork, .partial)
        let film = handle.get(id: "1").data?.film
        #expect(film?.title == "half" && film?.rating == nil)
        #expect(handle.isFetching && handle.isMissingData)
        #expect(self.handle(.storeOrNetwork).get(id: "1").isLoading)
        await stage.answer(Films.film("1", "whole"))
        #expect(handle.get(id: "1").data?.film?.rating == 5)
        #expect(!handle.isFetching && !handle.isMissingData && sent == 2)
    }

    @Test("A fragment whose fields are missing is loading until the response has arrived.")
    func fragmentOfParts() async throws {
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"half"}}}"#)
        let handle = handle(.storeAndNetwork, .partial)
        let row = FragmentHandle(try #require(handle.get(id: "1").data?.film?.row))
        #expect(row.get().isLoading)
        await stage.answer(Films.film("1", "whole"))
        #expect(row.get().data?.director?.name == "Irvin")
    }

    @Test("A handle stays loading while the store has no data, or data that the types cannot express.")
    func nothingToShow() async throws {
        let empty = handle(.storeOrNetwork, .partial)
        #expect(empty.get(id: "1").isLoading && empty.previousData == nil)
        await stage.answer(#"{"data":{"film":null}}"#)
        #expect(empty.get(id: "1").data != nil && empty.get(id: "1").data?.film == nil)
        // A non-null field without a value leaves nothing of the query.
        let count = QueryHandle<Films.CountQuery>(
            in: stage.environment, fetchPolicy: .storeAndNetwork, renderPolicy: .partial)
        #expect(count.get().isLoading)
        let screen = Screen()
        count.observe(on: screen) { screen, result in screen.note(row: "\(result.data?.total ?? -1)") }
        await stage.answer(#"{"data":{"total":7}}"#)
        #expect(count.get().data?.total == 7)
        #expect(await screen.rows == ["-1", "7"])
    }

    @Test("A failure replaces partial data.")
    func failureOfParts() async throws {
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"half"}}}"#)
        let handle = handle(.storeOrNetwork, .partial)
        #expect(title(handle) == "half")
        await stage.fail()
        #expect(handle.get(id: "1") == .failure(.transport(Unreachable())))
        #expect(handle.previousData?.film?.title == "half")
    }

    @Test("Under the policies that do not look into the store first, `.partial` changes nothing.", arguments: others)
    func partsOfOtherPolicies(_ policy: FetchPolicy) async throws {
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"half"}}}"#)
        let (full, partial) = (handle(policy), handle(policy, .partial))
        #expect(full.get(id: "1") == partial.get(id: "1"))
        #expect(full.get(id: "2") == partial.get(id: "2"))
    }

    // MARK: - Too old

    @Test("Data that is too old by at most `staleWhileRevalidate` is shown while it is fetched again.")
    func staleWhileRevalidate() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "old"))
        // A rating is too old after a minute.
        clock.advance(by: .seconds(90))
        let strict = handle()
        #expect(strict.get(id: "1").isLoading)
        let short = handle(staleWhileRevalidate: .seconds(29))
        #expect(short.get(id: "1").isLoading)
        let long = handle(staleWhileRevalidate: .seconds(30))
        #expect(title(long) == "old" && long.isFetching)
        await stage.answer(Films.film("1", "new"))
        #expect(title(long) == "new" && title(short) == "new" && title(strict) == "new")
        #expect(sent == 2)
    }

    @Test("Invalidated data is not shown, whatever `staleWhileRevalidate` says.")
    func invalidatedIsNotShown() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "old"))
        stage.environment.invalidate("1")
        clock.advance(by: .seconds(90))
        #expect(handle(staleWhileRevalidate: .seconds(1000)).get(id: "1").isLoading)
    }

    // MARK: - Triggers

    @Test("With `.invalidation` a handle fetches again when its data is invalidated, once for each invalidation.")
    func invalidation() async throws {
        let plain = await shown(on: [])
        let handle = await shown(on: .invalidation)
        let requests = sent
        stage.environment.invalidate("2")
        try await stage.seed(Films.TitleQuery(id: "9"), #"{"data":{"film":{"id":"9","title":"other"}}}"#)
        stage.environment.invalidate("9")
        await stage.settle()
        #expect(sent == requests + 1, "what is invalidated is of another query")
        stage.environment.invalidate("1")
        await stage.settle()
        #expect(handle.isFetching && title(handle) == "one" && !plain.isFetching)
        stage.environment.invalidate("9")
        await stage.settle()
        #expect(sent == requests + 2, "the request under way answers the invalidation")
        await stage.answer(Films.film("1", "two"))
        #expect(title(handle) == "two" && title(plain) == "two" && sent == requests + 2)
        stage.environment.invalidate()
        await stage.settle()
        await stage.fail()
        #expect(title(handle) == "two" && handle.fetchError == .transport(Unreachable()))
        stage.environment.invalidate("9")
        await stage.settle()
        #expect(sent == requests + 3, "an invalidation is answered once, also if that failed")
        stage.environment.invalidate(Films.FilmQuery.self)
        await stage.settle()
        // An invalidation while a request is under way makes that request too old.
        stage.environment.invalidate(type: "Film")
        await stage.settle()
        #expect(sent == requests + 5 && stage.network.waiting == 1)
        await stage.answer(Films.film("1", "three"))
        #expect(title(handle) == "three" && !handle.isFetching)
    }

    @Test("With `.missingData` a handle fetches again when a field is missing that the last response had brought.")
    func missingData() async throws {
        let handle = await shown(on: .missingData)
        try await loseRating(handle)
        #expect(handle.isFetching && title(handle) == "one" && sent == 2)
        await stage.answer(Films.film("1", "two", rating: 4))
        #expect(handle.get(id: "1").data?.film?.rating == 4)
        // What a fragment of the query has lost counts too.
        clock.advance(by: .seconds(10))
        let row = FragmentHandle(try #require(handle.get(id: "1").data?.film?.row))
        #expect(row.get().data?.director?.name == "Irvin")
        try stage.environment.update { store in
            try store.get("1")?.setLinkedRecord(store.create("p9", type: "Person"), forField: "director")
        }
        #expect(row.get().data?.director == nil && handle.get(id: "1").data?.film?.rating == 4)
        await stage.settle()
        #expect(handle.isFetching && row.get().isLoading)
        await stage.answer(Films.film("1", "three"))
        #expect(row.get().data?.director?.name == "Irvin" && sent == 3)
    }

    @Test("A field that the last response lacked is not requested again.")
    func knownGap() async throws {
        let handle = handle(on: .missingData)
        _ = handle.get(id: "1")
        await stage.answer(#"{"data":{"film":{"id":"1","title":"one","favourite":true,"director":null}}}"#)
        #expect(title(handle) == "one" && handle.isMissingData)
        try stage.environment.update { try $0.get("1")?.setValue("other", forField: "title") }
        #expect(title(handle) == "other")
        await stage.settle()
        #expect(sent == 1)
    }

    @Test("Fields that are lost again and again are fetched after ever longer pauses.")
    func feud() async throws {
        let handle = await shown(on: .missingData)
        try await loseRating(handle)
        await stage.answer(Films.film("1", "one"))
        var seconds: [Int] = []
        for round in 1...4 {
            try await loseRating(handle)
            while clock.sleepers == 0 { await Task.yield() }
            #expect(sent == round + 1, "the loss waits")
            let time = try #require(clock.nextDeadline)
            seconds.append(Int(time.offset.components.seconds))
            clock.advance(by: clock.now.duration(to: time))
            await untilSent(round + 2)
            await stage.answer(Films.film("1", "one"))
        }
        #expect(seconds == [1, 3, 7, 15])
        clock.advance(by: .seconds(17))
        try await loseRating(handle)
        #expect(sent == 7, "after a quiet time the next loss is fetched at once")
    }

    @Test("After a signal a handle fetches again if its last fetch has failed or is older than the given age.")
    func signals() async throws {
        let handle = await shown(on: [.networkReturned, .applicationReturned])
        let network = await shown(on: .networkReturned)
        stage.environment.note(.networkReturned, ifOlderThan: .seconds(10))
        await stage.settle()
        #expect(sent == 1)
        stage.environment.note(.networkReturned)
        await stage.settle()
        #expect(handle.isFetching && network.isFetching && sent == 2, "one request for both")
        await stage.fail()
        #expect(title(handle) == "one" && handle.fetchError != nil)
        stage.environment.note(.applicationReturned, ifOlderThan: .seconds(10))
        await stage.settle()
        #expect(handle.isFetching && !network.isFetching, "what has failed is never young")
        await stage.answer(Films.film("1", "two"))
        clock.advance(by: .seconds(10))
        stage.environment.note(.applicationReturned, ifOlderThan: .seconds(10))
        await stage.settle()
        #expect(handle.isFetching && sent == 4)
    }

    /// A query that a subscription feeds is fetched again when the connection is there again, whatever its age. A
    /// request that is in flight then may have been answered before, so another one follows it.
    @Test func aReconnectionFetchesWhatMayHaveBeenMissed() async throws {
        let handle = await shown(on: .reconnected)
        let other = await shown(on: .networkReturned)
        let reviews = SubscriptionHandle<FilmChangedSubscription>(in: stage.environment)
        _ = reviews.subscribe(Films.FilmQuery.Variables(id: "1"))
        await stage.settle()
        let requests = sent
        let subscription = try #require(stage.network.sent.last { $0.kind == .subscription })
        subscription.report(.connected)
        await stage.settle()
        #expect(sent == requests && !handle.isFetching, "nothing was missed before the first connection")
        subscription.report(.reconnecting(attempt: 1))
        subscription.report(.connected)
        await stage.settle()
        #expect(handle.isFetching && !other.isFetching && sent == requests + 1)
        subscription.report(.reconnecting(attempt: 1))
        subscription.report(.connected)
        await stage.settle()
        #expect(sent == requests + 1, "one request is in flight")
        stage.network.answerNewest(Films.film("1", "two"))
        await stage.settle()
        #expect(title(handle) == "two" && handle.isFetching && sent == requests + 2)
        stage.network.answerNewest(Films.film("1", "three"))
        await stage.settle()
        #expect(title(handle) == "three" && !handle.isFetching && sent == requests + 2)
    }

    @Test func aCancelledHandleDoesNotFetchByItself() async {
        let handle = handle(on: [.networkReturned, .applicationReturned, .invalidation])
        _ = handle.get(id: "1")
        await stage.settle()
        handle.cancel()
        #expect(handle.fetchError == .cancelled)
        handle.poll(every: .seconds(30))
        await until { [clock] in clock.sleepers == 1 }
        stage.environment.note(.networkReturned)
        stage.environment.invalidate()
        clock.advance(by: .seconds(31))
        await until { [clock] in clock.nextDeadline?.offset == .seconds(61) }
        await stage.settle()
        #expect(sent == 1 && !handle.isFetching)
        handle.retry()
        await stage.answer(Films.film("1", "one"))
        clock.advance(by: .seconds(31))
        await untilSent(3)
        await stage.answer(Films.film("1", "two"))
        #expect(title(handle) == "two")
        handle.poll(every: nil)
    }

    @Test("A poll fetches again when its interval has passed since the last fetch by any handle.")
    func poll() async throws {
        let handle = await shown(on: [])
        handle.poll(every: .seconds(30))
        while clock.sleepers == 0 { await Task.yield() }
        clock.advance(by: .seconds(20))
        await handle.refetchAndAnswer(stage, Films.film("1", "two"))
        clock.advance(by: .seconds(10))
        // The poll wakes, finds the newer fetch, and sleeps again.
        while clock.nextDeadline?.offset != .seconds(50) { await Task.yield() }
        #expect(sent == 2 && title(handle) == "two")
        clock.advance(by: .seconds(19))
        handle.poll(every: .seconds(30))
        try #require(clock.nextDeadline?.offset == .seconds(50), "a call with the same interval changes nothing")
        clock.advance(by: .seconds(1))
        await untilSent(3)
        #expect(handle.isFetching && title(handle) == "two")
        await stage.answer(Films.film("1", "three"))
        #expect(title(handle) == "three")
        handle.skip()
        clock.advance(by: .seconds(30))
        while clock.nextDeadline?.offset != .seconds(110) { await Task.yield() }
        #expect(sent == 3, "a handle that wants nothing polls nothing")
        handle.poll(every: nil)
        while clock.sleepers > 0 { await Task.yield() }
    }

    @Test("The shown data stays while a handle fetches again by itself, and if that fails.")
    func shownStays() async throws {
        let handle = handle(.networkOnly, on: .networkReturned)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(result) }
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        for answer in ["", #"{"errors":[{"message":"no"}]}"#, Films.film("1", "two")] {
            stage.environment.note(.networkReturned)
            await stage.settle()
            #expect(handle.isFetching && title(handle) == "one")
            if answer.isEmpty { await stage.fail() } else { await stage.answer(answer) }
        }
        #expect(await screen.titles.compactMap(\.self).filter { $0 != "one" } == ["two"])
        #expect(handle.fetchError == nil)
    }

    @Test("A handle that has ended fetches nothing.")
    func ended() async throws {
        var handle: FilmHandle? = await shown(on: [.invalidation, .missingData, .networkReturned])
        handle?.poll(every: .seconds(30))
        while clock.sleepers == 0 { await Task.yield() }
        handle = nil
        while clock.sleepers > 0 { await Task.yield() }
        stage.environment.invalidate()
        stage.environment.note(.networkReturned)
        clock.advance(by: .seconds(60))
        await stage.settle()
        #expect(sent == 1)
        withExtendedLifetime(handle) {}
    }

    // MARK: - Threads

    @Test func manyThreadsLetHandlesFetchAgain() async throws {
        let environment = stage.environment
        let network = stage.network
        let isOver = Guarded(false)
        let server = Task {
            while !isOver.withLock({ $0 }) {
                network.answer(Films.film("1", "one"))
                await Task.yield()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for round in 0..<60 {
                        let handle = FilmHandle(
                            in: environment, fetchPolicy: .storeOrNetwork, renderPolicy: .partial,
                            freshness: Freshness(refetchOn: [.invalidation, .missingData, .networkReturned]))
                        handle.poll(every: round % 2 == 0 ? .seconds(1) : nil)
                        _ = handle.get(id: "1")
                        switch (round + thread) % 4 {
                        case 0: environment.invalidate("1")
                        case 1: try? environment.update { try $0.loseRating() }
                        case 2: environment.note(.networkReturned)
                        default: handle.poll(every: .seconds(2))
                        }
                        _ = handle.get(id: "1")
                        await Task.yield()
                    }
                }
            }
        }
        while environment.activity.counts.requests > 0 || environment.activity.counts.deliveries > 0 {
            await Task.yield()
        }
        isOver.withLock { $0 = true }
        await server.value
        while clock.sleepers > 0 { await Task.yield() }
        #expect(environment.store.subscriptionCount == 0)
    }
}

extension RecordSourceProxy {
    /// Gives film 1 another identity, under which the store has nothing but the title.
    fileprivate func loseRating() throws {
        let other = try get("77") ?? create("77", type: "Film")
        try other.setValue("77", forField: "id")
        try other.setValue("one", forField: "title")
        try root.setLinkedRecord(other, forField: "film", arguments: ["id": "1"])
    }
}

extension QueryHandle where Operation == Films.FilmQuery {
    /// Fetches again, with this response.
    fileprivate func refetchAndAnswer(_ stage: Stage, _ json: String) async {
        async let result = refetch()
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.answer(json)
        _ = await result
    }
}
