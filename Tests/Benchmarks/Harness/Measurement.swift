import Foundation

/// The median of several runs, with their spread.
struct Measurement {
    /// The samples in ascending order; never empty.
    let samples: [Double]

    init(_ samples: [Double]) {
        precondition(!samples.isEmpty, "a measurement needs at least one run")
        self.samples = samples.sorted()
    }

    var median: Double { samples[samples.count / 2] }
    var low: Double { samples[0] }
    var high: Double { samples[samples.count - 1] }
}

/// Runs `body` once; returns its wall-clock time in seconds.
func time(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    return duration.seconds
}

/// Runs `body` once; returns the processor time of this process in seconds. The work of other processes does not count.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
    let start = processorTime()
    try body()
    return processorTime() - start
}

/// Runs asynchronous work once; returns the processor time of this process in seconds.
func processorTimeOfTasks(_ body: () async throws -> Void) async rethrows -> Double {
    let start = processorTime()
    try await body()
    return processorTime() - start
}

private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Wall-clock times without those during which the system interrupted the thread, unless all were interrupted. For work
/// of microseconds, a busy machine would otherwise dominate the figure. Times of waiting for a lock are included.
struct CalmTimes {
    private var calm: [Double] = []
    private var interrupted: [Double] = []

    /// Adds the time of some work, in seconds.
    mutating func add(_ body: () throws -> Void) rethrows {
        let before = Self.interruptions
        let duration = try time(body)
        if Self.interruptions == before { calm.append(duration) } else { interrupted.append(duration) }
    }

    /// Whether no time was added.
    var isEmpty: Bool { calm.isEmpty && interrupted.isEmpty }
    var measurement: Measurement { Measurement(calm.isEmpty ? interrupted : calm) }

    /// The number of times that the system took the processor from this thread; always 0 on systems without this
    /// information.
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
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

/// Measures `runs` pairs of times, A B A B ..., after one warm-up pair; returns the ratios A / B of the pairs.
///
/// Both times of a pair are measured within the same second, so that a machine that slows down slows both.
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
