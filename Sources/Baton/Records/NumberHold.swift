import Synchronization

/// As long as one lives, no number of a record is given to another.
///
/// Whoever turns names into numbers and keeps the numbers outside the store needs one: an answer from the moment in
/// which it is read until it has landed, an update while it runs and until it has landed. It must not be made while
/// the newest version is locked, or anything inside of that.
final class NumberHold: Sendable {
    /// Counts the holds of a store.
    final class Gate: Sendable {
        private let entrance = Guarded((), .numbers)
        private let count = Atomic(0)

        fileprivate func enter() {
            entrance.withLock { _ in _ = count.add(1, ordering: .acquiringAndReleasing) }
        }

        fileprivate func leave() { count.subtract(1, ordering: .acquiringAndReleasing) }

        /// Runs the body if nobody holds, and lets nobody in meanwhile; false if somebody does.
        func ifFree(_ body: () -> Void) -> Bool {
            entrance.withLock { _ in
                guard count.load(ordering: .acquiring) == 0 else { return false }
                body()
                return true
            }
        }
    }

    private let gate: Gate

    init(_ names: NameTable) {
        gate = names.gate
        gate.enter()
    }

    deinit { gate.leave() }
}
