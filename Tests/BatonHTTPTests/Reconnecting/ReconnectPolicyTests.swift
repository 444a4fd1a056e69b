import BatonHTTP
import Testing

@Suite("ReconnectPolicy")
struct ReconnectPolicyTests {
    /// A generator that always gives the same number.
    private struct Constant: RandomNumberGenerator {
        let value: UInt64
        mutating func next() -> UInt64 { value }
    }

    @Test("the bound of the wait doubles up to the longest wait")
    func theBoundOfTheWaitDoubles() {
        let policy = ReconnectPolicy(firstDelay: .milliseconds(500), maximumDelay: .seconds(5))
        let bounds = (1...6).map { policy.longestDelay(attempt: $0) }
        #expect(bounds == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        #expect(policy.longestDelay(attempt: .max) == .seconds(5))
    }

    @Test("a wait lies anywhere between zero and its bound")
    func aWaitLiesBetweenZeroAndItsBound() throws {
        let policy = ReconnectPolicy(firstDelay: .seconds(8), maximumDelay: .seconds(8))
        var (least, most, any) = (Constant(value: 0), Constant(value: .max), SystemRandomNumberGenerator())
        #expect(policy.delay(attempt: 1, using: &least) == .zero)
        #expect(try #require(policy.delay(attempt: 1, using: &most)) > .seconds(7))
        let waits = (0..<200).compactMap { _ in policy.delay(attempt: 3, using: &any) }
        #expect(waits.count == 200)
        #expect(waits.allSatisfy { $0 >= .zero && $0 <= .seconds(8) })
        #expect(Set(waits).count > 100)
    }

    @Test("attempts beyond the greatest number do not happen")
    func attemptsBeyondTheGreatestNumberDoNotHappen() {
        let policy = ReconnectPolicy(maximumAttempts: 2)
        #expect(policy.longestDelay(attempt: 2) != nil)
        #expect(policy.longestDelay(attempt: 3) == nil)
        #expect(policy.longestDelay(attempt: 0) == nil)
        #expect(ReconnectPolicy.never.longestDelay(attempt: 1) == nil)
    }

    @Test("a negative wait counts as zero")
    func negativeWaitsAreZero() {
        #expect(ReconnectPolicy(firstDelay: .seconds(-1)).longestDelay(attempt: 9) == .zero)
        #expect(ReconnectPolicy(maximumDelay: .seconds(-1)).longestDelay(attempt: 1) == .zero)
    }
}
