import Foundation

/// What one run of one client has shown.
struct Measurement: Codable {
    /// Requests or events a second.
    let rate: Double
    /// In milliseconds.
    let median: Double
    let percentile99: Double
    /// The bytes of memory for each operation at a time.
    let memory: Int
    let threads: Int

    init(rate: Double, median: Double = 0, percentile99: Double = 0, memory: Int = 0, threads: Int = 0) {
        (self.rate, self.median, self.percentile99) = (rate, median, percentile99)
        (self.memory, self.threads) = (memory, threads)
    }

    init(_ latencies: [Duration], took: Duration, memory: Int, threads: Int) {
        let sorted = latencies.sorted()
        let late = sorted.isEmpty ? .zero : sorted[min(sorted.count * 99 / 100, sorted.count - 1)]
        self.init(
            rate: Double(sorted.count) / took.seconds,
            median: sorted.isEmpty ? 0 : sorted[sorted.count / 2].milliseconds,
            percentile99: late.milliseconds, memory: memory, threads: threads)
    }

    /// The median of each figure.
    static func median(_ runs: [Measurement]) -> Measurement {
        func middle<Value: Comparable>(_ values: [Value], _ none: Value) -> Value {
            values.isEmpty ? none : values.sorted()[values.count / 2]
        }
        return Measurement(
            rate: middle(runs.map(\.rate), 0), median: middle(runs.map(\.median), 0),
            percentile99: middle(runs.map(\.percentile99), 0), memory: middle(runs.map(\.memory), 0),
            threads: middle(runs.map(\.threads), 0))
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { (seconds * 10_000).rounded() / 10 }
}
