import Testing

/// Runs tests one at a time that measure how much a server could write, or that fill its buffers.
struct OneAtATime: TestTrait, TestScoping {
    private static let turn = Turn()

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turn.take()
        do {
            try await function()
        } catch {
            await Self.turn.give()
            throw error
        }
        await Self.turn.give()
    }

    private actor Turn {
        private var isTaken = false
        private var waiters: [CheckedContinuation<Void, Never>] = []

        func take() async {
            if isTaken { return await withCheckedContinuation { waiters.append($0) } }
            isTaken = true
        }

        func give() {
            if waiters.isEmpty { isTaken = false } else { waiters.removeFirst().resume() }
        }
    }
}

extension Trait where Self == OneAtATime {
    /// The test does not run beside other tests with this trait.
    static var oneAtATime: OneAtATime { OneAtATime() }
}
