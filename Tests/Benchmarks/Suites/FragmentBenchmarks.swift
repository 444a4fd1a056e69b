import Baton
import Foundation

/// The cost of many small components that each read a fragment.
struct FragmentBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        let figures = [
            "fragments.read-ms", "fragments.growth-10k", "fragments.growth", "fragments.vs-foundation",
        ]
        guard figures.contains(where: options.wants) else { return }
        let few = try await Rows(count: 1_000)
        let some = try await Rows(count: options.quick ? 2_000 : 10_000)
        let many = try await Rows(count: options.quick ? 10_000 : 100_000)

        report.figure(
            figures[0], unit: "ms", better: .lower, "making \(some.count) handles of fragments, reading and subscribing"
        ) { Measurement((0..<options.runs(15)).map { _ in some.show() * 1e3 }) }
        let answer = Data(UserPayload.body(users: some.count))
        try report.figure(
            figures[3], unit: "x", target: 11, better: .higher,
            "the same, against JSONSerialization alone of the response with all \(some.count) users"
        ) {
            try ratio(
                runs: options.runs(15),
                of: { try time { keep(try JSONSerialization.jsonObject(with: answer)) } }, to: some.show)
        }
        for (id, rows) in [(figures[1], some), (figures[2], many)] {
            report.figure(
                id, unit: "x", target: 2, better: .lower,
                "the same for each: \(rows.count) handles against \(few.count)"
            ) {
                ratio(runs: options.runs(5), of: rows.show) {
                    (0..<rows.count / few.count).reduce(0) { sum, _ in sum + few.show() }
                }
            }
        }
    }
}

/// Users in a store, each to be shown by a component.
private struct Rows {
    let count: Int
    private let environment: RelayEnvironment
    private let references: [FragmentReference<UserRow_user>]

    init(count: Int) async throws {
        self.count = count
        environment = RelayEnvironment(network: CannedUsers(body: UserPayload.body(users: count)))
        references = try await environment.fetch(UserRowsQuery()).data?.users.map(\.fragments.userRow_user) ?? []
        guard references.count == count else { throw BenchmarkFailure(what: "the users could not be fetched") }
    }

    /// The time until every component has its data, in seconds.
    func show() -> Double {
        var handles: [FragmentHandle<UserRow_user>] = []
        handles.reserveCapacity(count)
        let duration = time {
            for reference in references {
                let handle = FragmentHandle(reference, in: environment)
                keep(handle.get())
                handles.append(handle)
            }
        }
        keep(handles)
        return duration
    }
}
