import Baton
import Foundation

/// From records to typed data, measured against the toolchain's own JSON parser on the same bytes.
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
