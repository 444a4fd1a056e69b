/// What a handle has read from the store, and its subscription to that.
///
/// A value inside the handle's state. It calls the store, whose locks are inside those of handles.
struct StoreWindow<Data: GeneratedCode.Selections>: Sendable {
    private(set) var data: Data?
    private(set) var isMissingData = false
    private var subscription: SubscriptionID?
    private var changesRead: Int?
    private var hasRead = false

    /// True if it has read since so many changes were counted.
    func isCurrent(_ changes: Int) -> Bool { changesRead == changes }

    /// Reads, and subscribes to what was read; true if the data is another than before.
    mutating func read(
        _ selections: BoundSelections, at root: RecordID, in store: Store, for subscriber: any StoreSubscriber,
        changes: Int
    ) -> Bool {
        let snapshot = store.read(Data.self, at: root, selections)
        subscription = store.subscribe(subscriber, to: snapshot.dependencies, replacing: subscription)
        let isDifferent = !hasRead || data != snapshot.data || isMissingData != snapshot.isMissingData
        changesRead = changes
        hasRead = true
        data = snapshot.data
        isMissingData = snapshot.isMissingData
        return isDifferent
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
}
