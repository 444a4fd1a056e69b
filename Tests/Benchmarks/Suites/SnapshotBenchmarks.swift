import Baton

/// The cost of writing and restoring the whole store, compared with reading the same data from the network.
struct SnapshotBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        let sizes = options.quick ? [("", 1_000)] : [("", 10_000), (".100k", 100_000), (".500k", 500_000)]
        for (suffix, users) in sizes {
            let ids = ["restore.vs-ingest", "snapshot.vs-ingest", "restore.over-vs-ingest"].map { $0 + suffix }
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
                "restoring a snapshot of \(users) users against reading their response of the network"
            ) {
                try ratio(
                    runs: runs,
                    of: {
                        let store = Store()
                        return try time { _ = try store.restore(snapshot) }
                    }, to: ingest)
            }
            try report.figure(
                ids[1], unit: "x", target: 2, better: .lower, "writing the snapshot against reading the same response"
            ) {
                try ratio(runs: runs, of: { time { keep(source.snapshot()) } }, to: ingest)
            }
            try report.figure(
                ids[2], unit: "x", target: 2, better: .lower, "restoring the snapshot over the store that wrote it"
            ) {
                try ratio(runs: runs, of: { try time { _ = try source.restore(snapshot) } }, to: ingest)
            }
        }
        try growth(into: &report)
    }

    /// The time for each user of a large store against that of a small one.
    private func growth(into report: inout Report) throws {
        let ids = ["snapshot.growth", "restore.growth"]
        guard !options.quick, ids.contains(where: options.wants) else { return }
        let sizes = (small: 62_500, large: 500_000)
        let (small, large) = (try StoredUsers(count: sizes.small).store, try StoredUsers(count: sizes.large).store)
        let bytes = (small: small.snapshot(), large: large.snapshot())
        let factor = Double(sizes.small) / Double(sizes.large)
        let runs = options.runs(3)
        let text = "a user of \(sizes.large) against one of \(sizes.small)"
        report.figure(ids[0], unit: "x", better: .lower, "the time of a snapshot for \(text)") {
            ratio(
                runs: runs, of: { time { keep(large.snapshot()) } * factor }, to: { time { keep(small.snapshot()) } })
        }
        try report.figure(ids[1], unit: "x", better: .lower, "the time of a restore for \(text)") {
            try ratio(
                runs: runs,
                of: {
                    let store = Store()
                    return try time { _ = try store.restore(bytes.large) } * factor
                },
                to: {
                    let store = Store()
                    return try time { _ = try store.restore(bytes.small) }
                })
        }
    }
}
