import Foundation

/// Times of work, of which a test compares two: nothing else is the same on every machine.
enum ProcessorTime {
    /// The seconds in which this thread works, whatever the load of the machine: the least of three.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<3 {
            let start = now
            try work()
            least = min(least, now - start)
        }
        return least
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
