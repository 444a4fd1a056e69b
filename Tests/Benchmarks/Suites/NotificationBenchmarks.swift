import Baton
import Synchronization

/// The cost of a change while many components are alive.
struct NotificationBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        let figures = [
            "notify.growth-10k", "notify.growth", "notify.publish-us", "notify.deliver-us",
            "notify.deliver-10k-us", "notify.deliver-growth-10k", "notify.deliver-growth", "get.unchanged-ns",
            "get.growth-10k", "get.growth",
        ]
        guard figures.contains(where: options.wants) else { return }
        let few = try await Stage(components: 1_000)
        let some = try await Stage(components: options.quick ? 2_000 : 10_000)
        let many = try await Stage(components: options.quick ? 10_000 : 100_000)
        // Each change takes some microseconds; few changes would mostly show the other work of the machine.
        let changes = options.quick ? 100 : 400

        try await report.figure(
            "notify.growth-10k", unit: "x", target: 1.5, better: .lower,
            "publishing one changed field: \(some.count) components against \(few.count)"
        ) { try await growth(from: few, to: some, changes: changes) }
        try await report.figure(
            "notify.growth", unit: "x", target: 1.5, better: .lower,
            "publishing one changed field: \(many.count) components against \(few.count)"
        ) { try await growth(from: few, to: many, changes: changes) }
        try await report.figure(
            "notify.publish-us", unit: "us", target: 10, better: .lower,
            "publishing one changed field among \(many.count) components, one after the other was delivered"
        ) { Measurement(try await many.publish(changes: changes).samples.map { $0 * 1e6 }) }
        try await deliveries(few, some, many, changes: changes, into: &report)
        calls(few, some, many, into: &report)
    }

    private func deliveries(
        _ few: Stage, _ some: Stage, _ many: Stage, changes: Int, into report: inout Report
    ) async throws {
        for (id, stage) in [("notify.deliver-us", many), ("notify.deliver-10k-us", some)] {
            try await report.figure(
                id, unit: "us", target: 20, better: .lower,
                "from before the publish to the body of the observer, among \(stage.count) components"
            ) { Measurement(try await stage.deliveries(changes).map { $0 * 1e6 }) }
        }
        for (id, stage) in [("notify.deliver-growth-10k", some), ("notify.deliver-growth", many)] {
            try await report.figure(
                id, unit: "x", target: 1.5, better: .lower, "the same: \(stage.count) components against \(few.count)"
            ) {
                var ratios: [Double] = []
                for _ in 0..<(changes / 20 + 2) {
                    let above = Measurement(try await stage.deliveries(20)).median
                    let below = Measurement(try await few.deliveries(20)).median
                    ratios.append(above / below)
                }
                return Measurement(Array(ratios.dropFirst()))
            }
        }
    }

    private func calls(_ few: Stage, _ some: Stage, _ many: Stage, into report: inout Report) {
        let rounds = 1_000
        func calls(_ stage: Stage) -> Double {
            var times = CalmTimes()
            for _ in 0..<10 { times.add { for _ in 0..<rounds { keep(stage.list.get(fetchKey: 1)) } } }
            return times.measurement.median / Double(rounds)
        }
        report.figure(
            "get.unchanged-ns", unit: "ns", target: 300, better: .lower,
            "get with the same variables and an Int as fetch key"
        ) { Measurement((0..<options.runs(30)).map { _ in calls(many) * 1e9 }) }
        for (id, stage) in [("get.growth-10k", some), ("get.growth", many)] {
            report.figure(
                id, unit: "x", target: 1.5, better: .lower,
                "the same of a list of \(stage.count), each observed, against \(few.count)"
            ) { ratio(runs: options.runs(15), of: { calls(stage) }, to: { calls(few) }) }
        }
    }

    /// The median of several rounds of publishes, so that a round with other work on the machine does not count.
    private func growth(from few: Stage, to many: Stage, changes: Int) async throws -> Measurement {
        var ratios: [Double] = []
        for _ in 0..<(changes / 20 + 2) {
            let above = try await many.publish(changes: 20).median
            let below = try await few.publish(changes: 20).median
            ratios.append(above / below)
        }
        return Measurement(Array(ratios.dropFirst()))
    }
}

/// The observer of all components: counts deliveries.
private actor Screen {
    private(set) var deliveries = 0
    private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func received() {
        deliveries += 1
        if let (count, continuation) = waiting, deliveries >= count {
            waiting = nil
            continuation.resume()
        }
    }

    func wait(for count: Int) async {
        if deliveries >= count { return }
        await withCheckedContinuation { waiting = (count, $0) }
    }
}

/// Many rows, each a fragment handle with an observer.
private final class Stage {
    let count: Int
    let list: QueryHandle<UserRowsQuery>
    private let environment: RelayEnvironment
    private let screen = Screen()
    private let rows: [FragmentHandle<UserRow_user>]
    private let tokens: [ObservationToken]
    private var random = SystemRandomNumberGenerator()
    private var changes = 0
    private var delivered: Int

    init(components: Int) async throws {
        count = components
        environment = RelayEnvironment(network: OneBody(body: UserPayload.body(users: components)))
        list = QueryHandle<UserRowsQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        let response = try await environment.fetch(UserRowsQuery())
        _ = list.get(fetchKey: 1)
        guard let users = response.data?.users, users.count == components else {
            throw BenchmarkFailure(what: "the users could not be fetched")
        }
        let environment = environment
        let screen = screen
        rows = users.map { FragmentHandle($0.fragments.userRow_user, in: environment) }
        tokens = rows.map { row in row.observe(on: screen) { screen, _ in screen.received() } }
        delivered = components
        await screen.wait(for: components)
    }

    /// Changes the name of another user each time, after the last change was delivered. Returns the times of the
    /// publishes in seconds, without deliveries.
    func publish(changes count: Int) async throws -> Measurement {
        var times = CalmTimes()
        for _ in 0..<count {
            try change(&times)
            await screen.wait(for: delivered)
        }
        return times.measurement
    }

    /// The times from a publish to the observer's closure, in seconds.
    func deliveries(_ count: Int) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<count { times.append(try await deliver()) }
        return times
    }

    private func deliver() async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        var times = CalmTimes()
        try change(&times)
        await screen.wait(for: delivered)
        return (clock.now - start).seconds
    }

    private func change(_ times: inout CalmTimes) throws {
        changes += 1
        let index = (changes * 7919) % count
        let name = JSONValue.string("Name \(changes)")
        let id = DataID(UserPayload.id(index))
        delivered += 1
        try times.add {
            try environment.update { store in
                guard let user = store.get(id) else {
                    throw BenchmarkFailure(what: "the user \(index) is not in the store")
                }
                try user.setValue(name, forField: "name")
            }
        }
    }
}

/// A network that answers every request with the same bytes.
private struct OneBody: NetworkLayer {
    let body: [UInt8]

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(body: body)
    }
}
