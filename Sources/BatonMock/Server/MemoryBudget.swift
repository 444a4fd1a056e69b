import Baton

/// Counts the memory that clients hold with large bodies and answers, so that many of them cannot exhaust it.
///
/// Small ones are not counted; the number of connections bounds them.
///
/// State: the number of bytes that are held, guarded by a lock of its own, a leaf.
final class MemoryBudget: Sendable {
    /// A part of the budget, which is given back when nobody has this object any more.
    final class Holding: Sendable {
        private let size: Int
        private let budget: MemoryBudget

        fileprivate init(_ size: Int, _ budget: MemoryBudget) {
            self.size = size
            self.budget = budget
        }

        deinit { budget.held.withLock { $0 -= size } }
    }

    /// Up to this size nothing is counted.
    static let free = 64 << 10

    private let total: Int
    private let held = Guarded(0)

    init(_ total: Int = 256 << 20) { self.total = total }

    /// The bytes that are held now.
    var heldBytes: Int { held.withLock { $0 } }

    /// Takes a part of the budget; nil if it has no such part left.
    func hold(_ size: Int) -> Holding? {
        let fits = held.withLock { held in
            guard size <= total - held else { return false }
            held += size
            return true
        }
        return fits ? Holding(size, self) : nil
    }
}
