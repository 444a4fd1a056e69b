import Baton

/// The cost of showing and reverting an optimistic change.
struct LayerBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        let figures = [
            "optimistic.us", "optimistic.growth", "optimistic.growth-10k", "optimistic.per-record",
            "optimistic.per-record-100",
        ]
        guard figures.contains(where: options.wants) else { return }
        // Each user has two records.
        let small = try await Stage(users: 500)
        let middle = try await Stage(users: 5_000)
        let large = try await Stage(users: options.quick ? 5_000 : 50_000)
        let rounds = options.runs(60)

        report.figure(
            "optimistic.us", unit: "us", better: .lower,
            "showing and taking back one field: \(middle.records) records, \(Stage.components) components"
        ) { Measurement((0..<rounds).map { _ in middle.change(users: 1) * 1e6 }) }
        report.figure(
            "optimistic.growth", unit: "x", target: 1.5, better: .lower,
            "the same with \(large.records) records against \(small.records)"
        ) { ratio(runs: rounds, of: { large.change(users: 1) }, to: { small.change(users: 1) }) }
        report.figure(
            "optimistic.growth-10k", unit: "x", target: 1.5, better: .lower,
            "the same with \(middle.records) records against \(small.records)"
        ) { ratio(runs: rounds, of: { middle.change(users: 1) }, to: { small.change(users: 1) }) }
        report.figure(
            "optimistic.per-record", unit: "x", target: 1.5, better: .lower,
            "a record of a change of 1,000 records against one of 10, in \(large.records)"
        ) {
            ratio(
                runs: rounds, of: { large.change(users: 1_000, times: 5) / 1_000 },
                to: { large.change(users: 10, times: 30) / 10 })
        }
        report.figure(
            "optimistic.per-record-100", unit: "x", target: 1.5, better: .lower,
            "a record of a change of 100 records against one of 10, in \(large.records)"
        ) {
            ratio(
                runs: rounds, of: { large.change(users: 100, times: 10) / 100 },
                to: { large.change(users: 10, times: 30) / 10 })
        }
    }
}

/// A store of users; components show some of them.
private final class Stage {
    static let components = 1_000

    let records: Int
    private let users: Int
    private let environment: RelayEnvironment
    private let rows: [FragmentHandle<UserRow_user>]
    private var changes = 0

    init(users count: Int) async throws {
        users = count
        records = 2 * count + 1
        environment = RelayEnvironment(network: UserNetwork(body: UserPayload.body(users: count)))
        let response = try await environment.fetch(UserRowsQuery())
        guard let users = response.data?.users, users.count == count else {
            throw BenchmarkFailure(what: "the users could not be fetched")
        }
        let environment = environment
        rows = (0..<Self.components).map { FragmentHandle(users[$0 % count].fragments.userRow_user, in: environment) }
        for row in rows { keep(row.get()) }
    }

    /// Changes the names of some users optimistically, the first of them random, and reverts the change; returns the
    /// median time in seconds.
    func change(users touched: Int, times: Int = 50) -> Double {
        var samples = CalmTimes()
        for _ in 0..<times {
            changes += 1
            let ids = (0..<touched).map { DataID(UserPayload.id((changes &* 7919 &+ $0) % users)) }
            let name = JSONValue.string("Name \(changes)")
            samples.add {
                let update = environment.applyUpdate { store in
                    for id in ids { try store.get(id)?.setValue(name, forField: "name") }
                }
                update.revert()
            }
        }
        return samples.measurement.median
    }
}

/// A network that answers every request with the same bytes.
private struct UserNetwork: NetworkLayer {
    let body: [UInt8]

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(body: body)
    }
}
