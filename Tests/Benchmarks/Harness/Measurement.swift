import Foundation

/// The middle of several runs, with its spread.
struct Measurement {
    /// In ascending order; never empty.
    let samples: [Double]

    init(_ samples: [Double]) {
        precondition(!samples.isEmpty, "a measurement needs at least one run")
        self.samples = samples.sorted()
    }

    var median: Double { samples[samples.count / 2] }
    var low: Double { samples[0] }
    var high: Double { samples[samples.count - 1] }
}

/// Runs `body` once and tells how long it took, in seconds.
func time(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    return duration.seconds
}

/// Runs `body` once and tells how long processors worked for this process, in seconds: what other processes do meanwhile does
/// not count.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let start = now()
    try body()
    return now() - start
}

extension Duration {
    /// The whole duration as a number of seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

/// Takes `runs` pairs of times, A B A B ..., after one pair that does not count, and returns A / B pair by pair.
///
/// The two of a pair run within the same second, so that a machine that slows down slows both.
func ratio(runs: Int, of numerator: () throws -> Double, to denominator: () throws -> Double) rethrows -> Measurement {
    _ = (try numerator(), try denominator())
    var ratios: [Double] = []
    for _ in 0..<runs {
        let above = try numerator()
        let below = try denominator()
        ratios.append(above / below)
    }
    return Measurement(ratios)
}
