/// Measures on a clock the time since it was made.
struct ElapsedTime: Sendable {
    private let read: @Sendable () -> Duration

    init(on clock: any Clock<Duration>) {
        read = Self.reading(clock)
    }

    /// The time that has passed.
    var value: Duration { read() }

    private static func reading<Source: Clock<Duration>>(_ clock: Source) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
