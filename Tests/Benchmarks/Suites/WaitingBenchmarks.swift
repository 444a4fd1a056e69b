import Baton
import Foundation
import Synchronization

/// The waiting time of other work while a large answer is read and published.
struct WaitingBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        let users = options.quick ? 10_000 : 100_000
        let ids = ["ingest.reader-wait", "ingest.reader-wait-us", "ingest.update-wait-ms"]
        guard ids.contains(where: options.wants) else { return }
        let body = UserPayload.body(users: users)
        try report.figure(
            ids[0], unit: "x", target: 0.1, better: .lower,
            "the longest read of one user while \(users) are normalized and published, against the time of that"
        ) { Measurement(try waits(in: body) { $0.read }.map { $0.longest / $0.whole }) }
        try report.figure(
            ids[1], unit: "us", better: .lower, "the longest of those reads, by the clock on the wall"
        ) { Measurement(try waits(in: body) { $0.read }.map { $0.longest * 1e6 }) }
        try report.figure(
            ids[2], unit: "ms", better: .lower, "the longest update of one user meanwhile, which waits for its turn"
        ) { Measurement(try waits(in: body) { $0.update }.map { $0.longest * 1e3 }) }
    }

    private func waits(
        in body: [UInt8], of work: (Stage) -> () throws -> Void
    ) throws -> [(longest: Double, whole: Double)] {
        try (0..<options.runs(7)).map { _ in
            let stage = try Stage()
            return try stage.longest(of: work(stage), during: body)
        }
    }
}

/// A store that shows a user while a response with many users is written.
private final class Stage: Sendable {
    private let store = Store()
    private let fragment: BoundFragment
    private let isOver = Atomic(false)
    private let whole = Guarded(0.0)

    init() throws {
        let operation = store.bind(UserRowsQuery())
        store.publish(try store.normalize(UserPayload.body(users: 10), for: operation), for: operation)
        let snapshot = store.read(UserRowsQuery.Data.self, at: operation.root, operation.reader)
        guard let reference = snapshot.data?.users.first?.fragments.userRow_user,
            let fragment = store.bind(reference)
        else { throw BenchmarkFailure(what: "the user could not be read") }
        self.fragment = fragment
    }

    func read() throws {
        keep(store.read(UserRow_user.Data.self, at: fragment.record, fragment.selections))
    }

    func update() throws {
        _ = try store.update { records in
            try records.get(DataID(UserPayload.id(0)))?.setValue(.int(Int.random(in: 0..<100)), forField: "age")
        }
    }

    /// The longest run of `work` while another thread publishes a response, and the time of the publish, in seconds.
    func longest(of work: () throws -> Void, during body: [UInt8]) throws -> (longest: Double, whole: Double) {
        let operation = store.bind(UsersQuery())
        Thread.detachNewThread { [self] in
            let duration = time {
                if let response = try? store.normalize(body, for: operation) {
                    keep(store.publish(response, for: operation))
                }
            }
            whole.withLock { $0 = duration }
            isOver.store(true, ordering: .releasing)
        }
        var times = CalmTimes()
        while times.isEmpty || !isOver.load(ordering: .acquiring) { try times.add(work) }
        return (times.measurement.high, whole.withLock { $0 })
    }
}
