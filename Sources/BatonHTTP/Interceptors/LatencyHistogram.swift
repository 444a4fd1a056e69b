import Baton

/// The numbers of times in ranges, whose bounds double from one millisecond to about a minute.
public struct LatencyHistogram: Sendable, Hashable {
    /// The upper ends of the ranges; one more range has no end.
    public static let bounds: [Duration] = (0..<17).map { .milliseconds(1 << $0) }

    /// The number of times in each range. There is one more range than bounds.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all times, at most a hundred years.
    public private(set) var total = Duration.zero

    /// Makes a histogram without times.
    public init() {}

    /// The number of times.
    public var count: Int { counts.reduce(0, +) }

    /// Adds a time. A time that equals a bound belongs to the range below that bound.
    public mutating func add(_ time: Duration) {
        counts[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1
        total = BoundedTime.of(total + BoundedTime.of(time))
    }

    /// Returns the first bound that a part of the times does not exceed, for example 0.95 of them. Nil if there are no
    /// times, or if too many exceed the last bound.
    public func bound(of part: Double) -> Duration? {
        let wanted = min(max(part, 0), 1) * Double(count)
        guard count > 0 else { return nil }
        var sum = 0
        for (bound, count) in zip(Self.bounds, counts) {
            sum += count
            if sum > 0, Double(sum) >= wanted { return bound }
        }
        return nil
    }
}
