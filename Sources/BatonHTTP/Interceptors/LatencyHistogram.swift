import Baton

/// How many times lie in which range; the ranges double from one millisecond to about a minute.
public struct LatencyHistogram: Sendable, Hashable {
    /// The upper ends of the ranges; one more range has no end.
    public static let bounds: [Duration] = (0..<17).map { .milliseconds(1 << $0) }

    /// The number of times in each range; one more than the bounds.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all times, at most a hundred years.
    public private(set) var total = Duration.zero

    /// Makes a histogram without times.
    public init() {}

    /// The number of times.
    public var count: Int { counts.reduce(0, +) }

    /// Adds a time. A time at a bound lies in the range that ends there.
    public mutating func add(_ time: Duration) {
        counts[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1
        total = BoundedTime.of(total + BoundedTime.of(time))
    }

    /// Returns an upper bound for this part of the times, such as 0.95; nil if there are no times, or if they lie above
    /// the last bound.
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
