import Baton

/// The same users as different servers send them: with and without `Node`, with and without `__typename`, with the `id`
/// first and last, and with three types.
struct VariantBenchmarks {
    let options: Options

    /// A way to send the users, with the operation that asks for them.
    struct Variant: Sendable {
        let name: String
        let form: UserPayload.Form
        let bind: @Sendable (Store) -> BoundOperation
        var dataID: DataID.Function?
    }

    static let variants = [
        Variant(name: "users", form: .users, bind: { $0.bind(UsersQuery()) }),
        Variant(name: "users-typename", form: .usersWithTypename, bind: { $0.bind(UsersWithTypenameQuery()) }),
        Variant(name: "users-id-last", form: .usersWithIDLast, bind: { $0.bind(UsersWithIDLastQuery()) }),
        Variant(name: "members", form: .members, bind: { $0.bind(MembersQuery()) }),
        Variant(name: "members-typename", form: .membersWithTypename, bind: { $0.bind(MembersWithTypenameQuery()) }),
        Variant(name: "contacts", form: .contacts, bind: { $0.bind(ContactsQuery()) }),
    ]

    /// Users with data IDs that the application chooses.
    private static let chosen = Variant(
        name: "custom-ids", form: .members, bind: { $0.bind(MembersQuery()) },
        dataID: { type, fields in
            guard case .string(let id)? = fields["id"] else { return nil }
            return DataID("\(type):\(id)")
        })

    func run(into report: inout Report) throws {
        let users = options.quick ? 1_000 : 10_000
        for prefix in ["ingest", "reingest"] {
            let isAgain = prefix == "reingest"
            let ids = ["\(prefix).variants", "\(prefix).custom-ids"]
            if isAgain { try moved(users, into: &report) }
            let parts = Self.variants.map { "\(prefix).\($0.name).vs-scan" }
            guard (ids + parts).contains(where: options.wants) else { continue }
            let what = isAgain ? "the same payload with one name changed" : "bytes to published store"
            let works = try (Self.variants + [Self.chosen]).map { try Work($0, users: users, isAgain: isAgain) }
            for (id, work) in zip(parts, works) {
                try report.figure(
                    id, unit: "x", better: .lower, "\(what), \(work.body.count / 1000) KB, against a scan of them"
                ) { try ratio(runs: options.runs(9), of: work.run, to: work.scan) }
            }
            try report.figure(
                ids[0], unit: "x", target: 1.4, better: .lower,
                "\(what), for each byte: the slowest of \(Self.variants.count) ways to send it against the fastest"
            ) { try spread(works.dropLast()) { $0.max() ?? 0 } }
            try report.figure(
                ids[1], unit: "x", target: 2.5, better: .lower,
                "\(what), for each byte: a data ID function against the fastest of them"
            ) { try spread(works) { $0.last ?? 0 } }
        }
    }

    /// Measures answers in which every object has moved, so that each guess of an object's record is wrong.
    private func moved(_ users: Int, into report: inout Report) throws {
        for variant in Self.variants[...2] where variant.form.hasIDLast || !variant.form.hasTypename {
            let id = "reingest.moved-\(variant.name).vs-scan"
            guard options.wants(id) else { continue }
            let work = try Work(variant, users: users, isAgain: true, isMoved: true)
            try report.figure(
                id, unit: "x", better: .lower,
                "the same users in the opposite order, \(work.body.count / 1000) KB, against a scan of them"
            ) { try ratio(runs: options.runs(9), of: work.run, to: work.scan) }
        }
    }

    /// The cost that `choose` selects, divided by the smallest cost. The cost of a variant is its best time for each
    /// byte out of three; the variants take turns.
    private func spread(_ works: some Sequence<Work>, _ choose: ([Double]) -> Double) throws -> Measurement {
        let works = Array(works)
        _ = try works.map { try $0.run() }
        return Measurement(
            try (0..<options.runs(7)).map { _ in
                var costs = Array(repeating: Double.infinity, count: works.count)
                for _ in 0..<3 {
                    for (index, work) in works.enumerated() {
                        costs[index] = min(costs[index], try work.run() / Double(work.body.count))
                    }
                }
                return choose(costs) / (costs.min() ?? 1)
            })
    }

    /// One variant, written into a new store each time, or repeatedly into one store with one name or the order
    /// alternating.
    private final class Work {
        private let variant: Variant
        private let bodies: [[UInt8]]
        private let store: Store?
        private var turn = 0

        var body: [UInt8] { bodies[0] }

        init(_ variant: Variant, users: Int, isAgain: Bool, isMoved: Bool = false) throws {
            self.variant = variant
            let renamed = isMoved ? nil : users / 2
            bodies =
                [UserPayload.body(users: users, form: variant.form)]
                + (isAgain
                    ? [UserPayload.body(users: users, renamed: renamed, form: variant.form, isReversed: isMoved)] : [])
            store = isAgain ? Store(dataID: variant.dataID) : nil
            if let store {
                let operation = variant.bind(store)
                store.publish(try store.normalize(body, for: operation), for: operation)
            }
        }

        /// The time of one response from its bytes to the store, in seconds.
        func run() throws -> Double {
            turn += 1
            let store = store ?? Store(dataID: variant.dataID)
            let operation = variant.bind(store)
            let body = bodies[turn % bodies.count]
            let fetch = FetchMark(time: .seconds(turn), began: store.epoch)
            var changed = 0
            let duration = try processorTime {
                let response = try store.normalize(body, for: operation, fetch: fetch)
                changed = store.publish(response, for: operation).recordsChanged
            }
            guard bodies.count == 1 || changed == 1 else {
                throw BenchmarkFailure(what: "one changed name or list has to change one record")
            }
            return duration
        }

        /// The time to scan the same bytes as strict JSON, in seconds.
        func scan() throws -> Double { try processorTime { try JSONValue.check(body) } }
    }
}
