import Baton
import Foundation

/// The cost of collecting garbage, and the memory of records.
struct CollectionBenchmarks {
    let options: Options

    func run(into report: inout Report) throws {
        try collection(into: &report)
        try memory(into: &report)
        try heldResults(into: &report)
    }

    private func collection(into report: inout Report) throws {
        try report.figure(
            "collect.ms", unit: "ms", better: .lower, "a collection of 10,000 users that are all retained, whole"
        ) {
            let stage = try Stage(users: options.quick ? 1_000 : 10_000)
            var times: [Double] = []
            for _ in 0..<options.runs(15) { times.append(time { keep(stage.environment.collectGarbage()) } * 1e3) }
            withExtendedLifetime(stage.retention) {}
            return Measurement(times)
        }
        for (id, scale) in [("collect.growth-10k", 10), ("collect.growth", 100)] {
            try report.figure(
                id, unit: "x", target: 2.5, better: .lower,
                "a collection of everything retained, per record: \(1_000 * scale) records against 1000"
            ) {
                let few = try Stage(users: 500)
                let many = try Stage(users: 500 * scale)
                defer { withExtendedLifetime((few.retention, many.retention)) {} }
                return ratio(runs: options.runs(7)) {
                    time { keep(many.environment.collectGarbage()) }
                } to: {
                    time { for _ in 0..<scale { keep(few.environment.collectGarbage()) } }
                }
            }
        }
        let users = options.quick ? 5_000 : 500_000
        try report.figure(
            "collect.pause-ms", unit: "ms", target: 16, better: .lower,
            "the longest slice, with a publish and a read after it, of \(users * 2) records of which half are garbage"
        ) {
            Measurement(try (0..<(options.quick ? 1 : 3)).map { _ in try Self.longestSlice(users: users) })
        }
    }

    /// The longest slice in processor time, because the work of other processes is no pause of the store. A measurement
    /// begins with a slice, and other work waits for at most one slice.
    private static func longestSlice(users: Int) throws -> Double {
        let stage = try Stage(users: users)
        // Slices run only in this function.
        let hold = stage.environment.holdCollection()
        // Half of the users are garbage now.
        try stage.answer(UserPayload.body(users: users / 2))
        var longest = 0.0
        var isDone = false
        stage.environment.store.collector.begin(.request)
        while !isDone {
            let duration = try processorTime {
                if case .more = stage.environment.store.collector.collectSlice() {} else { isDone = true }
                try stage.touch()
            }
            longest = max(longest, duration)
        }
        withExtendedLifetime((hold, stage.retention)) {}
        return longest * 1e3
    }

    private func heldResults(into report: inout Report) throws {
        for held in HeldResults.allCases {
            let id = "memory.held-\(held.rawValue)-kb"
            guard options.wants(id) else { continue }
            guard let bytes = try PeakMemory.heapBytes(of: held) else {
                report.skip(id, because: "the system does not tell how much memory a process uses")
                continue
            }
            report.figure(id, unit: "KB", better: .lower, "kept by each of \(HeldResults.count) results: \(held.what)")
            {
                Measurement([bytes / 1024 / Double(HeldResults.count)])
            }
        }
    }

    private func memory(into report: inout Report) throws {
        for users in options.quick ? [500] : [500, 5_000, 50_000] {
            let id = users == 5_000 || options.quick ? "memory.vs-json" : "memory.vs-json.\(users * 2)"
            guard options.wants(id) else { continue }
            guard let bytes = try PeakMemory.heapBytes(ofUsers: users) else {
                report.skip(id, because: "the system does not tell how much memory a process uses")
                continue
            }
            let json = Double(UserPayload.body(users: users).count)
            report.figure(
                id, unit: "x", target: 2.5, better: .lower,
                "heap of \(users * 2) records with indexes, against the bytes of their JSON"
            ) { Measurement([bytes / json]) }
        }
    }
}

/// An environment whose store has retained users.
private struct Stage {
    let environment: RelayEnvironment
    let retention: Retention
    private let operation: BoundOperation

    init(users: Int) throws {
        environment = RelayEnvironment(network: NoNetwork())
        retention = environment.retain(UsersQuery())
        operation = environment.store.bind(UsersQuery())
        let hold = environment.holdCollection()
        try answer(UserPayload.body(users: users))
        // Releases the hold; collections that are due run in the measurement.
        withExtendedLifetime(hold) {}
    }

    func answer(_ body: [UInt8]) throws {
        let response = try environment.store.normalize(body, for: operation)
        keep(environment.store.publish(response, for: operation))
    }

    /// Publishes one field, and reads it.
    func touch() throws {
        try environment.update { store in
            let user = store.get(DataID(UserPayload.id(7)))
            try user?.setValue(.int(Int.random(in: 0..<100)), forField: "age")
        }
        keep(environment.store.read(UserAge.self, at: operation.root, operation.reader))
    }
}

/// Reads only whether the list exists. A read takes the version of the store and visits no item.
private struct UserAge: GeneratedCode.Selections {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let __row: GeneratedCode.Row
}

private struct NoNetwork: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw CancellationError() }
}
