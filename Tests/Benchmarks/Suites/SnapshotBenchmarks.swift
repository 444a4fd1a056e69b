import Baton

/// The cost of writing and restoring the whole store, compared with reading the same data from the network.
struct SnapshotBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        let sizes = options.quick ? [("", 1_000)] : [("", 10_000), (".100k", 100_000), (".500k", 500_000)]
        for (suffix, users) in sizes {
            let ids = ["restore.vs-ingest", "snapshot.vs-ingest"].map { $0 + suffix }
            guard ids.contains(where: options.wants) else { continue }
            let body = UserPayload.body(users: users)
            let ingest = { () throws -> Double in
                let store = Store()
                let operation = store.bind(UsersQuery())
                return try time { _ = store.publish(try store.normalize(body, for: operation), for: operation) }
            }
            let source = try StoredUsers(count: users).store
            let snapshot = source.snapshot()
            let runs = options.runs(users > 10_000 ? 3 : 9)
            try report.figure(
                ids[0], unit: "x", target: 1, better: .lower,
                "restoring a snapshot of \(users) users against reading their answer of the network"
            ) {
                try ratio(
                    runs: runs,
                    of: {
                        let store = Store()
                        return try time { _ = try store.restore(snapshot) }
                    }, to: ingest)
            }
            try report.figure(
                ids[1], unit: "x", target: 2, better: .lower, "writing the snapshot against reading the same answer"
            ) {
                try ratio(runs: runs, of: { time { keep(source.snapshot()) } }, to: ingest)
            }
        }
    }
}
