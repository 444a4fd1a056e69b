import Testing

@testable import Baton

/// Durations that nobody waits for, and durations that are over before they begin.
@Suite(.timeLimit(.minutes(20))) struct BoundedTimeTests {
    static let far = [Duration.seconds(Int64.max), .seconds(Int64.max) + .seconds(Int64.max), .seconds(4_000_000_000)]
    static let past = [Duration.zero, .seconds(-5), .seconds(Int64.min)]

    private let clock = SleepingClock()

    /// The time until the only sleeper wakes.
    private func sleepingTime() async -> Duration? {
        await until { [clock] in clock.sleepers == 1 }
        return clock.nextDeadline.map { clock.now.duration(to: $0) }
    }

    @Test("`settled` waits as long as nobody lives, and not at all for less than nothing.", arguments: far + past)
    func settled(_ timeout: Duration) async {
        let stage = Stage(clock: clock)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.settle()
        let wait = Task { await stage.environment.settled(timeout: timeout) }
        if timeout > .zero {
            #expect(await sleepingTime() == BoundedTime.longest)
            stage.network.answer(Films.film("1", "one"))
        }
        #expect(await wait.value.count == (timeout > .zero ? 0 : 1))
    }

    @Test("`render` waits as long as nobody lives, and not at all for less than nothing.", arguments: far + past)
    func render(_ timeout: Duration) async {
        let stage = Stage(clock: clock)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let rendering = Task {
            await stage.environment.render(timeout: timeout) { handle.get(id: "1").data?.film?.title }
        }
        await stage.settle()
        if timeout > .zero {
            #expect(await sleepingTime() == BoundedTime.longest)
            await stage.answer(Films.film("1", "one"))
        }
        #expect(await rendering.value.isSettled == (timeout > .zero))
    }

    @Test("A request may have any timeout.", arguments: far + past)
    func request(_ timeout: Duration) async throws {
        let stage = Stage(clock: clock)
        let environment = stage.environment
        let answer = Task {
            try await environment.fetch(
                Films.FilmQuery(id: "1"), configuration: RequestConfiguration(timeout: timeout))
        }
        if timeout > .zero {
            #expect(await sleepingTime() == BoundedTime.longest)
            await stage.answer(Films.film("1", "one"))
            #expect(try await answer.value.data?.film?.title == "one")
        } else {
            await #expect(throws: RelayError.timedOut(after: timeout)) { try await answer.value }
        }
    }

    @Test("A handle may poll at any interval.", arguments: far + past)
    func poll(_ interval: Duration) async throws {
        let stage = Stage(clock: clock)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        handle.poll(every: interval)
        #expect(await sleepingTime() == (interval > .zero ? BoundedTime.longest : BoundedTime.shortestInterval))
        handle.poll(every: nil)
    }

    @Test("Released operations may expire at any time.", arguments: far)
    func expiration(_ expiration: Duration) async throws {
        let network = ScriptedNetwork()
        let environment = RelayEnvironment(
            network: network, options: StoreOptions(expiration: expiration), clock: clock)
        let answer = Task { _ = try await environment.fetch(Films.FilmQuery(id: "1")) }
        while network.waiting == 0 { await Task.yield() }
        network.answer(Films.film("1", "one"))
        try await answer.value
        #expect(await sleepingTime() == BoundedTime.longest)
        let kept = try await environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOrNetwork)
        #expect(kept.data?.film?.title == "one")
    }

    @Test("Data may be shown for any time while it is fetched again.", arguments: far + past)
    func staleness(_ time: Duration) async throws {
        let stage = Stage(clock: clock)
        let handle = QueryHandle<Films.FilmQuery>(
            in: stage.environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(staleWhileRevalidate: time))
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(handle.result.data?.film?.title == "one")
        stage.environment.note(.applicationReturned, ifOlderThan: time)
    }

    @Test("A snapshot may have been taken at any time before.", arguments: far + past)
    func snapshots(_ elapsed: Duration) async throws {
        let stage = Stage(clock: clock)
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let other = RelayEnvironment(network: ScriptedNetwork(), clock: clock)
        try other.restore(from: stage.environment.snapshot(), elapsed: elapsed)
        #expect((try? await other.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly))?.data?.film?.title == "one")
        let again = RelayEnvironment(network: ScriptedNetwork(), clock: clock)
        try again.restore(from: other.snapshot(), elapsed: elapsed)
    }

    @Test("A sum with a bounded time never overflows, and a clock never sleeps longer.")
    func bounds() {
        for time in Self.far + Self.past {
            #expect((Duration.zero...BoundedTime.longest).contains(BoundedTime.of(time)))
            #expect(BoundedTime.interval(time) >= BoundedTime.shortestInterval)
            #expect(BoundedTime.end(of: time, from: .seconds(7)) >= .seconds(7))
        }
        #expect(BoundedTime.of(.seconds(3)) == .seconds(3))
        #expect((Duration.seconds(Int64.max) + .seconds(Int64.max)).milliseconds == .max)
        #expect((Duration.seconds(Int64.min) - .seconds(1)).milliseconds == -.max)
        #expect(Duration.milliseconds(-1_500).milliseconds == -1_500)
        #expect(Duration.nanoseconds(1_999_999).milliseconds == 1)
    }

    @Test("The system's clock sleeps for the longest time.")
    func system() async {
        let clock = ContinuousClock()
        let sleep = BoundedTime.sleeping(on: clock, since: clock.now)
        let begun = AsyncStream<Void>.makeStream()
        let task = Task {
            async let first: Void = BoundedTime.sleep(for: .seconds(Int64.max), on: clock)
            async let second: Void = sleep(.seconds(Int64.max))
            begun.continuation.finish()
            _ = try await (first, second)
        }
        for await _ in begun.stream {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
