import Synchronization

/// Knows whether the store was read since the last optimistic change of the application, or the last answer to a handle
/// that nobody observes.
///
/// A read looks at it, which costs one relaxed load while no change is unseen.
///
/// State: an atomic.
struct UnseenLayer: ~Copyable, Sendable {
    /// The moment of one change or answer.
    struct Mark: Sendable {
        fileprivate let number: Int
    }

    /// The number of the last one while nobody has read since; its negative value afterwards.
    private let last = Atomic(0)

    /// Notes a change or an answer.
    func begin() -> Mark {
        while true {
            let before = last.load(ordering: .relaxed)
            let next = abs(before) + 1
            if last.compareExchange(expected: before, desired: next, ordering: .relaxed).exchanged {
                return Mark(number: next)
            }
        }
    }

    /// Notes a read.
    @inline(__always)
    func noteRead() {
        let number = last.load(ordering: .relaxed)
        if number > 0 { _ = last.compareExchange(expected: number, desired: -number, ordering: .relaxed) }
    }

    /// True if nobody has read since, and it is the last one.
    func isUnseen(_ mark: Mark) -> Bool { last.load(ordering: .relaxed) == mark.number }
}
