/// Who reads what in a store, and hears of its changes.
///
/// State: the index, guarded by a lock of its own. Subscribers are told outside of it, and let go of outside of it.
final class Subscriptions: Sendable {
    private let index = Guarded(SubscriptionIndex(), .subscriptions)

    /// Adds a subscriber, or gives the one whose subscription it replaces something else to hear of.
    func add(
        _ subscriber: any StoreSubscriber, _ dependencies: Dependencies, replacing old: SubscriptionID?
    ) -> SubscriptionID {
        index.withLock { $0.add(subscriber, dependencies, replacing: old) }
    }

    /// Ends a subscription; does nothing if it has ended.
    func remove(_ id: SubscriptionID) {
        _ = index.withLock { $0.remove(id) }
    }

    /// The number of live subscriptions.
    var count: Int { index.withLock { $0.count } }
    /// The bytes of the index.
    var memoryUse: Int { index.withLock { $0.memoryUse } }
    /// Every live subscriber, in the order in which they subscribed.
    var all: [any StoreSubscriber] { index.withLock { $0.all() } }

    /// The subscribers that read what changed, in the order in which they subscribed, and how many were looked at.
    func affected(by changes: ChangeSet) -> (subscribers: [any StoreSubscriber], checked: Int) {
        if changes.isEmpty { return ([], 0) }
        return index.withLock { ($0.affected(by: changes), $0.checked) }
    }

    /// Looks at the index. Others wait meanwhile.
    func look<Result>(_ body: (SubscriptionIndex) -> sending Result) -> sending Result {
        index.withLock { body($0) }
    }
}
