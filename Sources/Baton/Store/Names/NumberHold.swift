import Synchronization

/// As long as a hold lives, no number of a record is given to another record.
///
/// Code that converts names to numbers and keeps the numbers outside the store needs a hold. A response needs a hold
/// from the beginning of its read until it has landed, and an update from the beginning of its run until it has landed.
/// A hold must not be made while the lock of the newest version, or a lock inside it, is held.
final class NumberHold: Sendable {
    /// Counts the holds of a store.
    final class Gate: Sendable {
        private let entrance = Guarded((), .numbers)
        private let count = Atomic(0)

        fileprivate func enter() {
            entrance.withLock { _ in _ = count.add(1, ordering: .acquiringAndReleasing) }
        }

        fileprivate func leave() { count.subtract(1, ordering: .acquiringAndReleasing) }

        /// True if there is no hold now.
        var isFree: Bool { count.load(ordering: .acquiring) == 0 }

        /// Calls `body` if there is no hold, and lets no hold begin meanwhile. Returns false if there is a hold.
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
