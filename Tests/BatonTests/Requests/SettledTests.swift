import Testing

@testable import Baton

/// The guarantees of `settled(timeout:)`.
@Suite(.timeLimit(.minutes(20))) struct SettledTests {
    let clock = SleepingClock()
    let stage: Stage

    init() { stage = Stage(clock: clock) }

    private var film: QueryHandle<Films.FilmQuery> { QueryHandle<Films.FilmQuery>(in: stage.environment) }

    @Test("`settled` returns at once, without a look at the clock, if nothing is open.")
    func itReturnsAtOnceIfNothingIsOpen() async {
        #expect(await stage.environment.settled(timeout: .seconds(1)).isEmpty)
        #expect(clock.sleepers == 0)
    }

    @Test("Handles show the results when `settled` returns.", arguments: [true, false])
    func handlesShowTheOutcomeWhenItReturns(_ fails: Bool) async {
        let handle = film
        _ = handle.get(id: "1")
        async let open = stage.environment.settled()
        await stage.settle()
        if fails { stage.network.fail() } else { stage.network.answer(Films.film("1", "one")) }
        #expect(await open.isEmpty)
        #expect(handle.result.data?.film?.title == (fails ? nil : "one"))
        #expect((handle.result.error != nil) == fails)
    }

    @Test("Subscriptions are not waited for, because they do not end.")
    func subscriptionsAreNotWaitedFor() async {
        let network = EventNetwork()
        let environment = RelayEnvironment(network: network)
        let events = Task { for try await _ in environment.subscribe(FilmChangedSubscription(id: "1")) {} }
        _ = await network.stream()
        #expect(environment.activity.counts.requests == 1)
        #expect(await environment.settled().isEmpty)
        events.cancel()
    }

    @Test("`settled` returns when the timeout is over on the environment's clock.")
    func itReturnsWhenTheTimeIsOver() async {
        let (first, second) = (film, film)
        _ = first.get(id: "1")
        // Each request is sent in a task of its own.
        await until { [stage] in stage.network.sent.count == 1 }
        _ = second.get(id: "2")
        await until { [stage] in stage.network.sent.count == 2 }
        async let open = stage.environment.settled(timeout: .seconds(2))
        await stage.settle()
        stage.network.answer(Films.film("1", "one"))
        await until { [clock] in clock.sleepers == 1 }
        clock.advance(by: .seconds(1))
        await until { [stage] in stage.environment.activity.counts.requests == 1 }
        #expect(clock.sleepers == 1, "the time is not over yet")
        clock.advance(by: .seconds(1))
        let left = await open
        #expect(left.map(\.operationName) == ["Film"])
        #expect(left.map(\.id) == stage.network.sent.map(\.id).suffix(1))
        #expect(second.isFetching)
        #expect(clock.sleepers == 0)
    }

    @Test("`settled` returns when its task is cancelled.")
    func itReturnsWhenItsTaskIsCancelled() async {
        let handle = film
        _ = handle.get(id: "1")
        let wait = Task { [stage] in await stage.environment.settled(timeout: .seconds(2)) }
        await until { [clock] in clock.sleepers == 1 }
        wait.cancel()
        #expect(await wait.value.count == 1)
        await until { [clock] in clock.sleepers == 0 }
        #expect(handle.isFetching)
    }

    @Test("A cancelled request is not open.")
    func aCancelledRequestIsNotOpen() async {
        let handle = film
        _ = handle.get(id: "1")
        await stage.settle()
        handle.cancel()
        #expect(await stage.environment.settled().isEmpty)
    }

    @Test("Commits that wait in a queue are open.")
    func commitsThatWaitInAQueueAreWaitedFor() async throws {
        let environment = stage.environment
        let commits = (1...3).map { number in
            Task {
                try await environment.commit(
                    Films.SetFavouriteMutation(variables: .init(id: "\(number)", favourite: true)), serial: "q")
            }
        }
        await until { environment.serials.count(in: "q") == 2 }
        let settled = Guarded(false)
        let wait = Task {
            let open = await environment.settled()
            settled.withLock { $0 = true }
            return open
        }
        for number in 1...3 {
            await until { [stage] in stage.network.sent.count == number && stage.network.waiting == 1 }
            #expect(!settled.withLock { $0 })
            stage.network.answer(Films.favourite("1", true))
        }
        #expect(await wait.value.isEmpty)
        for commit in commits { _ = try await commit.value }
    }

    @Test func commitsThatWaitInAQueueAreReported() async throws {
        let environment = stage.environment
        let commit = { @Sendable [environment] in
            try await environment.commit(
                Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true)), serial: "q")
        }
        let first = Task { try await commit() }
        await until { [stage] in stage.network.sent.count == 1 }
        let others = [Task { try await commit() }, Task { try await commit() }]
        await until { environment.serials.count(in: "q") == 2 }
        async let open = environment.settled(timeout: .seconds(1))
        await until { [clock] in clock.sleepers == 1 }
        clock.advance(by: .seconds(1))
        let left = await open
        #expect(left.map(\.operationName) == Array(repeating: "SetFavourite", count: 3))
        #expect(Set(left.map(\.id)).count == 3 && left[0].id > 0 && left[1].id < 0)
        for other in others { other.cancel() }
        for other in others { await #expect(throws: RelayError.cancelled) { try await other.value } }
        stage.network.answer(Films.favourite("1", true))
        _ = try await first.value
        #expect(await environment.settled().isEmpty)
    }

    @Test("Requests that begin while `settled` waits are waited for as well.")
    func requestsThatBeginMeanwhileAreWaitedForAsWell() async {
        let (first, second) = (film, film)
        _ = first.get(id: "1")
        async let open = stage.environment.settled()
        await stage.settle()
        _ = second.get(id: "2")
        await stage.answer(Films.film("1", "one"))
        #expect(first.result.data?.film?.title == "one")
        await stage.answer(Films.film("2", "two"))
        #expect(await open.isEmpty)
        #expect(second.result.data?.film?.title == "two")
    }
}
