import Synchronization

/// A number that several tasks add to.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add(_ amount: Int) {
        count.add(amount, ordering: .sequentiallyConsistent)
    }

    /// Waits until the number is as large as this one, for at most a minute.
    func reach(_ number: Int) async {
        let end = ContinuousClock.now + .seconds(60)
        while value < number, ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}
