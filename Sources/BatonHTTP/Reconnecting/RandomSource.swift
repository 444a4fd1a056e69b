import Baton

/// A random generator that several tasks share.
final class RandomSource: Sendable {
    private let generator: Guarded<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Guarded(generator) }

    /// Returns the wait before an attempt after an error; nil if the policy allows no attempt of this number.
    func delay(_ policy: ReconnectPolicy, attempt: Int, after error: any Error) -> Duration? {
        generator.withLock { generator in policy.delay(attempt: attempt, after: error, using: &generator) }
    }
}
