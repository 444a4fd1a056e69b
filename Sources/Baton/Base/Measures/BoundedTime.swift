/// Bounds the durations that a caller names, so that a clock can sleep for them and a time can be moved by them.
///
/// A system's clock ends the process for a duration that it cannot count in nanoseconds. So does the sum of two
/// durations that `Duration` cannot hold. Therefore every sleep and every sum with a caller's duration uses these
/// functions. A duration below zero counts as zero, and one of more than a hundred years as a hundred years.
package enum BoundedTime {
    /// A hundred years.
    package static let longest = Duration.seconds(100 * 366 * 86_400 as Int64)
    /// The shortest interval of repeated work, so that the work does not keep a processor busy.
    package static let shortestInterval = Duration.milliseconds(10)

    /// The duration within the bounds.
    package static func of(_ duration: Duration) -> Duration { min(max(duration, .zero), longest) }

    /// The duration within the bounds, as an interval of repeated work.
    package static func interval(_ duration: Duration) -> Duration { max(of(duration), shortestInterval) }

    /// The end of a duration that begins now.
    package static func end(of duration: Duration, from now: Duration) -> Duration { now + of(duration) }

    /// Sleeps for a duration. Throws `CancellationError` if the task is cancelled before the end.
    package static func sleep(for duration: Duration, on clock: any Clock<Duration>) async throws {
        if clock is ContinuousClock { return try await SharedTimer.shared.sleep(for: of(duration)) }
        try await clock.sleep(for: of(duration), tolerance: nil)
    }

    /// Returns a function that sleeps until a time after `origin`.
    package static func sleeping<Source: Clock<Duration>>(
        on clock: Source, since origin: Source.Instant
    ) -> @Sendable (_ end: Duration) async throws -> Void {
        { end in
            let now = clock.now
            // An end that is further away is slept for only in the first hundred years, which no process lives to see.
            let rest = end - origin.duration(to: now)
            if clock is ContinuousClock { return try await SharedTimer.shared.sleep(for: of(rest)) }
            try await clock.sleep(until: now.advanced(by: of(rest)), tolerance: nil)
        }
    }
}

extension Duration {
    /// The whole milliseconds, rounded towards zero; of a duration that has too many, the greatest number.
    package var milliseconds: Int {
        let greatest = Duration.milliseconds(Int.max)
        if self >= greatest { return .max }
        if self <= .zero - greatest { return -.max }
        let (seconds, fraction) = components
        return Int(clamping: seconds) * 1_000 + Int(clamping: fraction / 1_000_000_000_000_000)
    }
}
