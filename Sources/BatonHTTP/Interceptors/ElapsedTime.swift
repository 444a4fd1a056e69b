/// Measures the time since the creation of this value.
struct ElapsedTime: Sendable {
    private let read: @Sendable () -> Duration

    init(on clock: any Clock<Duration>) {
        read = Self.reading(clock)
    }

    /// The time since the creation of this value.
    var value: Duration { read() }

    private static func reading<Source: Clock<Duration>>(_ clock: Source) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
