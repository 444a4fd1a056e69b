import Baton

/// Environments over a shared base, one for each request of a server.
struct EnvironmentBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        try await cost(into: &report)
        let id = "environment.over-base-kb"
        guard options.wants(id) else { return }
        let count = options.quick ? 1_000 : 10_000
        guard let bytes = try PeakMemory.heapBytes(ofEnvironments: count) else {
            return report.skip(id, because: "the system does not tell how much memory a process uses")
        }
        report.figure(
            id, unit: "KB", target: 48, better: .lower,
            "heap for each of \(count) living environments over one base of 10000 users, each with one user renamed"
        ) { Measurement([bytes / 1024 / Double(count)]) }
    }

    private func cost(into report: inout Report) async throws {
        let figures = [
            ("environment.over-base-us", "making an environment over a base of 10000 users, and letting it go"),
            ("environment.over-base-read-us", "the same, with a query handle that shows the base's data"),
            ("environment.over-base-write-us", "the same, with one user renamed instead"),
        ]
        guard figures.contains(where: { options.wants($0.0) }) else { return }
        let requests = try await Requests(users: 10_000)
        let works: [(Int) throws -> Void] = [
            { _ in keep(requests.environment()) }, { _ in requests.read() },
            { number in keep(try requests.write(number)) },
        ]
        for ((id, what), work) in zip(figures, works) {
            try report.figure(id, unit: "us", better: .lower, what) {
                var times: [Double] = []
                for _ in 0...options.runs(20) {
                    times.append(try time { for number in 0..<100 { try work(number) } } / 100 * 1e6)
                }
                return Measurement(Array(times.dropFirst()))
            }
        }
    }
}

/// Requests of a server over shared users.
struct Requests {
    private let shared: RelayEnvironment
    private let base: EnvironmentBase
    private let network: CannedUsers
    private let ids: [DataID]

    init(users: Int) async throws {
        network = CannedUsers(body: UserPayload.body(users: users))
        shared = RelayEnvironment(network: network)
        _ = try await shared.fetch(UserRowsQuery())
        base = shared.base()
        ids = shared.records.ids.filter { $0 != .root }
        guard ids.count >= users else { throw BenchmarkFailure(what: "the users could not be fetched") }
    }

    func environment() -> RelayEnvironment { RelayEnvironment(over: base, network: network) }

    /// Makes an environment and shows its data.
    func read() {
        let handle = QueryHandle<UserRowsQuery>(in: environment(), fetchPolicy: .storeOnly)
        keep(handle.get())
    }

    /// Makes an environment and renames a user in it.
    func write(_ number: Int) throws -> RelayEnvironment {
        let environment = environment()
        let id = ids[number * 7919 % ids.count]
        try environment.update { try $0.get(id)?.setValue("renamed", forField: "name") }
        return environment
    }
}
