import NIOConcurrencyHelpers

/// The rate and the latencies of one run.
struct Measurement {
    let rate: Double
    let median: Duration
    let percentile99: Duration

    init(_ latencies: [Duration], took: Duration) {
        let sorted = latencies.sorted()
        rate = Double(sorted.count) / took.seconds
        median = sorted.isEmpty ? .zero : sorted[sorted.count / 2]
        percentile99 = sorted.isEmpty ? .zero : sorted[min(sorted.count * 99 / 100, sorted.count - 1)]
    }

    /// The run with the middle rate.
    static func median(_ runs: [Measurement]) -> Measurement {
        let sorted = runs.sorted { $0.rate < $1.rate }
        return sorted.isEmpty ? Measurement([], took: .seconds(1)) : sorted[sorted.count / 2]
    }
}

/// The measurements, as lines of text.
final class Table: Sendable {
    private let lines = NIOLockedValueBox<[String]>([])

    func add(_ name: String, _ measurement: Measurement, relativeTo base: Measurement) {
        let share = Int((measurement.rate / base.rate * 100).rounded())
        add(
            "\(name): \(Int(measurement.rate)) requests a second (\(share) %), latency "
                + "\(measurement.median.milliseconds) ms, 99 % within \(measurement.percentile99.milliseconds) ms")
    }

    func add(_ line: String) {
        lines.withLockedValue { $0.append(line) }
    }

    func print() {
        for line in lines.withLockedValue({ $0 }) { Swift.print(line) }
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { (seconds * 10_000).rounded() / 10 }
}
