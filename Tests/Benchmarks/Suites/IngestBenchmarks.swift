import Baton
import Foundation

/// Writing a response from its bytes to published records, compared with the toolchain's own JSON parser on the same
/// bytes.
struct IngestBenchmarks {
    let options: Options
    let users: Int
    let body: [UInt8]
    let data: Data

    init(options: Options) {
        self.options = options
        users = options.quick ? 1_000 : 10_000
        body = UserPayload.body(users: users)
        data = Data(body)
    }

    func run(into report: inout Report) throws {
        try report.figure(
            "scan.vs-foundation", unit: "x", target: 30, better: .higher,
            "going over the bytes as strict JSON, against JSONSerialization"
        ) {
            try ratio(runs: options.runs(9), of: parseWithFoundation) { try time { try JSONValue.check(body) } }
        }
        try report.figure(
            "ingest.vs-foundation", unit: "x", target: 10, better: .higher,
            "bytes to published store, against JSONSerialization alone"
        ) {
            try ratio(runs: options.runs(15), of: parseWithFoundation) { try Self.ingest(body) }
        }
        try report.figure(
            "ingest.ms", unit: "ms", better: .lower, "bytes to published store, \(body.count / 1000) KB"
        ) {
            Measurement(try (0..<options.runs(9)).map { _ in try Self.ingest(body) * 1e3 })
        }
        try report.figure(
            "reingest.vs-foundation", unit: "x", target: 20, better: .higher,
            "the same payload with one name changed, one notification, against JSONSerialization"
        ) {
            let again = try Repetition(users: users)
            return try ratio(runs: options.runs(15), of: parseWithFoundation, to: again.run)
        }
        try report.figure(
            "reingest.ms", unit: "ms", better: .lower, "the same payload with one name changed, one notification"
        ) {
            let again = try Repetition(users: users)
            return Measurement(try (0..<options.runs(15)).map { _ in try again.run() * 1e3 })
        }
        try growth(into: &report)
    }

    /// Measures the growth of the cost of a user with the number of users.
    private func growth(into report: inout Report) throws {
        for (suffix, users) in [("-10k", options.quick ? 2_000 : 10_000), ("", options.quick ? 10_000 : 100_000)] {
            let ids = ["scan.growth", "ingest.growth", "reingest.growth"].map { $0 + suffix }
            guard ids.contains(where: options.wants) else { continue }
            let (few, many) = (UserPayload.body(users: 1_000), UserPayload.body(users: users))
            try report.figure(
                ids[0], unit: "x", target: 2, better: .lower,
                "going over the bytes as strict JSON, a user: \(users) users against 1000"
            ) { try growth(to: users, of: { body in try time { try JSONValue.check(body) } }, many, few) }
            try report.figure(
                ids[1], unit: "x", target: 2, better: .lower,
                "bytes to published store, a user: \(users) users against 1000"
            ) { try growth(to: users, of: Self.ingest, many, few) }
            try report.figure(
                ids[2], unit: "x", target: 2, better: .lower,
                "the same payload with one name changed, a user: \(users) users against 1000"
            ) {
                let (few, many) = (try Repetition(users: 1_000), try Repetition(users: users))
                return try growth(to: users, of: { try $0.run() }, many, few)
            }
        }
    }

    /// The time of a user among many, divided by that of a user among 1,000. The small measurement is repeated until it
    /// has as many users as the large one.
    private func growth<Input>(
        to users: Int, of work: (Input) throws -> Double, _ many: Input, _ few: Input
    ) rethrows -> Measurement {
        try ratio(runs: users > 10_000 ? 3 : options.runs(9)) {
            try work(many)
        } to: {
            try (0..<users / 1_000).reduce(0) { sum, _ in sum + (try work(few)) }
        }
    }

    private func parseWithFoundation() throws -> Double {
        try time { keep(try JSONSerialization.jsonObject(with: data)) }
    }

    /// Writes a body into a new store; making and freeing the store is not measured.
    private static func ingest(_ body: [UInt8]) throws -> Double {
        let store = Store()
        let operation = store.bind(UsersQuery())
        let fetch = FetchMark(time: .seconds(1), began: store.epoch)
        let duration = try time {
            keep(store.publish(try store.normalize(body, for: operation, fetch: fetch), for: operation))
        }
        keep(store)
        return duration
    }

    /// A store with the payload that gets it again and again, with one name alternating between two values. One
    /// subscription reads all data.
    private final class Repetition {
        private let store = Store()
        private let operation: BoundOperation
        private let bodies: [[UInt8]]
        private let reader = Notified()
        private var turn = 0

        init(users: Int) throws {
            operation = store.bind(UsersQuery())
            bodies = [UserPayload.body(users: users), UserPayload.body(users: users, renamed: users / 2)]
            store.publish(try store.normalize(bodies[0], for: operation), for: operation)
            let snapshot = store.read(UsersQuery.Data.self, at: operation.root, operation.reader)
            _ = store.subscribe(reader, to: snapshot.dependencies)
        }

        func run() throws -> Double {
            turn += 1
            let body = bodies[turn % 2]
            let fetch = FetchMark(time: .seconds(turn), began: store.epoch)
            let duration = try time {
                keep(store.publish(try store.normalize(body, for: operation, fetch: fetch), for: operation))
            }
            guard reader.count.withLock({ $0 }) == turn else {
                throw BenchmarkFailure(what: "one changed name has to give one notification")
            }
            return duration
        }
    }

    private final class Notified: StoreSubscriber {
        let count = Guarded(0)

        func storeDidChange(at epoch: Epoch) { count.withLock { $0 += 1 } }
    }
}
