/// Durations that a caller names, as they may be slept for and added to a time.
///
/// A system's clock ends the process for a time that it cannot count in nanoseconds, and a sum of durations for one
/// that it cannot hold. So all that sleeps goes through here, and all that is added to a time. A duration below zero
/// counts as zero, and one of more than a hundred years as a hundred years.
package enum BoundedTime {
    /// A hundred years.
    package static let longest = Duration.seconds(100 * 366 * 86_400 as Int64)
    /// The shortest interval of what is done again and again, so that it does not keep a processor busy.
    package static let shortestInterval = Duration.milliseconds(10)

    /// The duration within the bounds.
    package static func of(_ duration: Duration) -> Duration { min(max(duration, .zero), longest) }

    /// The duration within the bounds, for what is done again and again.
    package static func interval(_ duration: Duration) -> Duration { max(of(duration), shortestInterval) }

    /// The end of a duration that begins now.
    package static func end(of duration: Duration, from now: Duration) -> Duration { now + of(duration) }

    /// Sleeps for a duration. Throws `CancellationError` if the task is cancelled before the end.
    package static func sleep(for duration: Duration, on clock: any Clock<Duration>) async throws {
        try await clock.sleep(for: of(duration), tolerance: nil)
    }

    /// Returns a function that sleeps until a time after `origin`.
    package static func sleeping<Source: Clock<Duration>>(
        on clock: Source, since origin: Source.Instant
    ) -> @Sendable (_ end: Duration) async throws -> Void {
        { end in
            let now = clock.now
            // What lies further away is slept for in its first hundred years only, which no process sees.
            let rest = end - origin.duration(to: now)
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
