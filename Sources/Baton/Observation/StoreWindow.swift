/// What a handle has read from the store, and its subscription to that.
///
/// A value inside the handle's state. The read itself, and the comparison with what was read before, run code of the
/// user's (conversions, `==` of their values) and belong outside the handle's lock; `install` calls only the store,
/// whose locks are inside those of handles.
struct StoreWindow<Data: GeneratedCode.Selections>: Sendable {
    private(set) var data: Data?
    private(set) var isMissingData = false
    /// Why there is no data, if a field that is needed has no value.
    private(set) var failure: RelayError?
    /// What the data was read from; the next read takes over what has not changed.
    private(set) var dependencies: Dependencies?
    private var subscription: SubscriptionID?
    private var changesRead: Int?
    private var hasRead = false

    /// True if it has read since so many changes were counted.
    func isCurrent(_ changes: Int) -> Bool { changesRead == changes }

    /// True if nothing was read into either since one was copied from the other.
    func isSame(as other: StoreWindow) -> Bool { changesRead == other.changesRead && hasRead == other.hasRead }

    /// True if what is shown changes with a snapshot.
    func differs(from snapshot: Snapshot<Data>) -> Bool {
        !hasRead || isMissingData != snapshot.isMissingData || failure != snapshot.problems?.failure
            || data != snapshot.data
    }

    /// Takes over what was read, and subscribes to it; true if it has changed since.
    mutating func install(
        _ snapshot: Snapshot<Data>, changes: Int, in store: Store, for subscriber: any StoreSubscriber
    ) -> Bool {
        let (id, hasChanged) = store.subscribe(
            quietly: subscriber, to: snapshot.dependencies, replacing: subscription)
        subscription = id
        changesRead = changes
        hasRead = true
        data = snapshot.data
        dependencies = snapshot.dependencies
        isMissingData = snapshot.isMissingData
        failure = snapshot.problems?.failure
        return hasChanged
    }

    /// Must read again, because it is to show something else.
    mutating func expire() {
        changesRead = nil
    }

    /// Forgets what was read, and ends the subscription.
    mutating func close(in store: Store) {
        if let subscription { store.unsubscribe(subscription) }
        self = StoreWindow()
    }

    /// Forgets what was read, and does not read again before the next change.
    mutating func close(in store: Store, until changes: Int) {
        close(in: store)
        changesRead = changes
    }
}
