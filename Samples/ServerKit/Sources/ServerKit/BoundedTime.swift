/// Bounds the durations that a caller names, so that a clock can sleep for them.
enum BoundedTime {
    /// Sleeps for a duration between 10 milliseconds and a year. Throws `CancellationError` if the task is cancelled.
    static func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: min(max(duration, .milliseconds(10)), .seconds(366 * 86_400)))
    }
}
