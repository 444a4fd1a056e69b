@testable import Baton

/// Counts its notifications.
final class CountingSubscriber: StoreSubscriber {
    private let state = Guarded(0)

    var count: Int { state.withLock { $0 } }
    func storeDidChange(at epoch: Epoch) { state.withLock { $0 += 1 } }
}
