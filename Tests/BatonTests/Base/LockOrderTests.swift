import Testing

@testable import Baton

#if DEBUG
    /// Checks which locks may be taken while others are held.
    @Suite("The order of locks")
    struct LockOrderTests {
        private func held(_ ranks: LockRank...) -> UInt { ranks.reduce(0) { $0 | 1 << $1.rawValue } }

        @Test func laterLocksAreTakenInsideOfEarlierOnes() {
            #expect(HeldLocks.conflict(of: .names, with: held(.publishing, .records)) == nil)
            #expect(HeldLocks.conflict(of: .deliveries, with: 0) == nil)
        }

        @Test func earlierLocksAndThoseOfTheSameRankAreRefused() {
            #expect(HeldLocks.conflict(of: .records, with: held(.names)) != nil)
            #expect(HeldLocks.conflict(of: .leaf, with: held(.leaf)) != nil)
            #expect(
                HeldLocks.conflict(of: .publishing, with: held(.request, .subscriptions))
                    == "the lock publishing is taken while these are held: "
                    + "[Baton.LockRank.request, Baton.LockRank.subscriptions]")
        }

        @Test func whatIsGivenBackIsHeldNoMore() {
            let names = Guarded(0, .names)
            let records = Guarded(0, .records)
            names.withLock { $0 += 1 }
            records.withLock { _ in names.withLock { $0 += 1 } }
            struct Failure: Error {}
            #expect(throws: Failure.self) { try names.withLock { _ in throw Failure() } }
            records.withLock { $0 += 1 }
            #expect(names.withLock { $0 } == 2)
        }
    }
#endif
