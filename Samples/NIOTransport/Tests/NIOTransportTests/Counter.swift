import Synchronization

/// A number that several tasks add to.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add(_ amount: Int) {
        count.add(amount, ordering: .sequentiallyConsistent)
    }
}
