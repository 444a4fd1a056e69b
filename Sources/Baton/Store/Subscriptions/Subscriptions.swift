// The order of notifications has several owners, this one for the readers; ReadingTheDesign.md names the others.

/// The subscriptions of a store.
///
/// State: the index, guarded by a lock of its own. Subscribers are notified, and their last references released,
/// outside the lock.
final class Subscriptions: Sendable {
    private let index = Guarded(SubscriptionIndex(), .subscriptions)

    /// Adds a subscription. If it replaces an old one, the old subscriber stays and gets the new dependencies.
    ///
    /// - Parameter notesFirst: True if the records must be returned that nobody read before.
    func add(
        _ subscriber: any StoreSubscriber, _ dependencies: Dependencies, replacing old: SubscriptionID?,
        notesFirst: Bool = false
    ) -> (id: SubscriptionID, first: [RecordID]?) {
        index.withLock { index in
            if notesFirst { index.firstRead = [] }
            let id = index.add(subscriber, dependencies, replacing: old)
            return (id, notesFirst ? index.firstRead.take() : nil)
        }
    }

    /// Forgets the records that the subscriber has read. The subscriber is not notified until the subscription is
    /// replaced, and keeps its place in the order.
    func clear(_ id: SubscriptionID) { index.withLock { $0.clear(id) } }

    /// Ends a subscription; does nothing if it has ended.
    func remove(_ id: SubscriptionID) {
        _ = index.withLock { $0.remove(id) }
    }

    /// The number of live subscriptions.
    var count: Int { index.withLock { $0.count } }
    /// The memory of the index in bytes.
    var memoryUse: Int { index.withLock { $0.memoryUse } }
    /// Every live subscriber, in the order in which they subscribed.
    var all: [any StoreSubscriber] { index.withLock { $0.all() } }

    /// Returns the subscribers that read changed fields, in the order in which they subscribed, and the number of
    /// examined entries.
    func affected(by changes: ChangeSet) -> (subscribers: [any StoreSubscriber], checked: Int) {
        if changes.isEmpty { return ([], 0) }
        return index.withLock { ($0.affected(by: changes), $0.checked) }
    }

    /// Calls `body` with the index while the lock is held.
    func look<Result>(_ body: (SubscriptionIndex) -> sending Result) -> sending Result {
        index.withLock { body($0) }
    }
}

/// Identifies one subscription of a store.
package struct SubscriptionID: Sendable, Hashable {
    let slot: UInt32
    /// The number of earlier subscriptions in the slot.
    let use: UInt32
}
