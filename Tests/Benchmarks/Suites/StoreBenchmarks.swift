import Baton
import Foundation

/// From bytes to records, and from records to typed data, measured against the toolchain's own JSON parser on the same bytes.
struct StoreBenchmarks {
    let options: Options
    let body: [UInt8]
    let data: Data

    init(options: Options) {
        self.options = options
        body = UserPayload.body(users: options.quick ? 1_000 : 10_000)
        data = Data(body)
    }

    func run(into report: inout Report) throws {
        let megabytes = Double(body.count) / 1e6
        try report.figure(
            "ingest.vs-foundation", unit: "x", target: 6, better: .higher,
            "bytes to published store, against JSONSerialization alone"
        ) {
            try ratio(runs: options.runs(9), of: parseWithFoundation, to: ingest)
        }
        try report.figure(
            "ingest.ms", unit: "ms", better: .lower, "bytes to published store, \(Int(megabytes * 1000)) KB"
        ) {
            try repeated(options.runs(9)) { try ingest() * 1e3 }
        }
        try report.figure(
            "reingest.vs-foundation", unit: "x", better: .higher,
            "the same payload again with one name changed, against JSONSerialization"
        ) {
            let store = Store()
            let operation = store.bind(UsersQuery())
            let bodies = [
                UserPayload.body(users: options.quick ? 1_000 : 10_000, renamed: 500), body,
            ]
            var turn = 0
            return try ratio(runs: options.runs(9), of: parseWithFoundation) {
                turn += 1
                return try time { try write(bodies[turn % 2], for: operation, into: store) }
            }
        }
        try report.figure(
            "read.vs-foundation", unit: "x", target: 25, better: .higher,
            "typed read of everything, against JSONSerialization"
        ) {
            let reading = try Reading(body)
            return try ratio(runs: options.runs(15), of: parseWithFoundation, to: reading.time)
        }
        try report.figure("read.ms", unit: "ms", better: .lower, "typed read of everything") {
            let reading = try Reading(body)
            return try repeated(options.runs(15)) { try reading.time() * 1e3 }
        }
    }

    private func parseWithFoundation() throws -> Double {
        try time { keep(try JSONSerialization.jsonObject(with: data)) }
    }

    /// Into a fresh store each time; making and freeing the store is not measured.
    private func ingest() throws -> Double {
        let store = Store()
        let operation = store.bind(UsersQuery())
        let duration = try time { try write(body, for: operation, into: store) }
        keep(store)
        return duration
    }

    private func write(_ body: [UInt8], for operation: BoundOperation, into store: Store) throws {
        let response = try store.normalize(body, for: operation)
        keep(store.publish(response, for: operation))
    }

    private func repeated(_ runs: Int, _ measure: () throws -> Double) rethrows -> Measurement {
        _ = try measure()
        return Measurement(try (0..<runs).map { _ in try measure() })
    }

    /// A store that holds the payload, read as a whole.
    private struct Reading {
        let store = Store()
        let operation: BoundOperation

        init(_ body: [UInt8]) throws {
            operation = store.bind(UsersQuery())
            let response = try store.normalize(body, for: operation)
            _ = store.publish(response, for: operation)
        }

        func time() throws -> Double {
            var count = 0
            let duration = Benchmarks.time {
                let snapshot = store.read(UsersQuery.Data.self, at: operation.root, operation.reader)
                count = snapshot.data?.users.count ?? 0
                keep(snapshot)
            }
            guard count > 0 else { throw BenchmarkFailure(what: "the users could not be read back") }
            return duration
        }
    }
}

/// Something that has to work before it can be measured did not.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

/// Keeps the optimizer from removing the work that made `value`.
@inline(never)
func keep<Value>(_ value: Value) {}
