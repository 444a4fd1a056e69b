// Reconnecting has several owners, this one for the pauses; ReadingTheDesign.md names the others.

import Baton

/// The number of attempts to restore a connection, and the waits before them: exponential backoff with full jitter.
///
/// The wait before an attempt is random, between zero and a bound that doubles with each attempt. Clients that lost
/// the same server therefore do not all come back at the same moment.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The greatest number of attempts in a row; nil for any number, 0 if a lost connection is not restored.
    ///
    /// A successful attempt begins a new row.
    public var maximumAttempts: Int?
    /// The longest wait before the first attempt.
    public var firstDelay: Duration
    /// The longest wait before any attempt.
    public var maximumDelay: Duration

    /// Makes a policy.
    public init(
        maximumAttempts: Int? = nil, firstDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(30)
    ) {
        self.maximumAttempts = maximumAttempts
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
    }

    /// A policy that does not restore a lost connection.
    public static let never = ReconnectPolicy(maximumAttempts: 0)

    /// Returns the longest wait before an attempt; nil if there is no attempt of this number. The first attempt is
    /// number 1.
    public func longestDelay(attempt: Int) -> Duration? {
        guard attempt >= 1, attempt <= maximumAttempts ?? .max else { return nil }
        let longest = BoundedTime.of(maximumDelay)
        var bound = min(BoundedTime.of(firstDelay), longest)
        for _ in 1..<min(attempt, 64) {
            if bound >= longest || bound == .zero { break }
            bound = bound > longest / 2 ? longest : bound * 2
        }
        return bound
    }

    /// Returns the wait before an attempt; nil if there is no attempt of this number.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt; the first one is 1.
    ///   - random: The source of the jitter. A seeded generator gives the same waits again.
    public func delay(attempt: Int, using random: inout some RandomNumberGenerator) -> Duration? {
        guard let bound = longestDelay(attempt: attempt) else { return nil }
        // A closed range would be drawn by rejection, which does not end with some generators.
        return bound * Double.random(in: 0..<1, using: &random)
    }

    /// Returns the wait before an attempt after an error: at least as long as the server asks for with `Retry-After`,
    /// up to ten minutes.
    func delay(
        attempt: Int, after error: any Error, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard let delay = delay(attempt: attempt, using: &random) else { return nil }
        return max(delay, min(RelayError(ofStep: error).retryAfter ?? .zero, Self.longestWait))
    }

    private static let longestWait = Duration.seconds(600)
}
