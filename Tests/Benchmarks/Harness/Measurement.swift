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

/// Runs `body` once and tells how long processors worked for this process, in seconds: what other processes do
/// meanwhile does not count.
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

/// Times by the clock on the wall, without those during which the system gave the processor to somebody else, as long
/// as there are others: of work that takes microseconds a busy machine would show nothing but itself. What waits for a
/// lock is not left out.
struct CalmTimes {
    private var calm: [Double] = []
    private var interrupted: [Double] = []

    /// Adds the time of some work, in seconds.
    mutating func add(_ body: () throws -> Void) rethrows {
        let before = Self.interruptions
        let duration = try time(body)
        if Self.interruptions == before { calm.append(duration) } else { interrupted.append(duration) }
    }

    /// Nothing was added.
    var isEmpty: Bool { calm.isEmpty && interrupted.isEmpty }
    var measurement: Measurement { Measurement(calm.isEmpty ? interrupted : calm) }

    /// How often this thread had to give up its processor although it had something to do; always 0 where the system
    /// does not tell.
    private static var interruptions: Int {
        #if os(Linux)
            var usage = rusage()
            // `RUSAGE_THREAD`, which the module of the C library does not declare.
            return getrusage(1, &usage) == 0 ? usage.ru_nivcsw : 0
        #else
            return 0
        #endif
    }
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
