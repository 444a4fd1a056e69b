/// The last read and the shown reading, as part of a handle's state. It follows the machine's decisions.
struct Reader: Sendable {
    /// The last read; nil before the first one.
    private(set) var reading: Reading?
    /// The last read; nil before the first one.
    private(set) var outcome: ReadOutcome?
    private var subscription: SubscriptionID?

    /// Shows another content, or the same content with another status.
    mutating func show(_ content: Reading.Content, publish: Int?) {
        reading = Reading(after: reading, content, changedBy: publish)
    }

    /// Takes the result of a read and subscribes to it; returns true if the data has changed since. Only the store is
    /// called, whose locks are inside those of handles.
    mutating func install(_ outcome: ReadOutcome, in store: Store, for subscriber: any StoreSubscriber) -> Bool {
        let (id, hasChanged) = store.subscribe(quietly: subscriber, to: outcome.dependencies, replacing: subscription)
        subscription = id
        self.outcome = outcome
        return hasChanged
    }

    /// Forgets the last read; the shown reading stays. The subscription waits for the next read, so that the handle is
    /// told of it before the handles that were made of its data.
    mutating func forget(in store: Store) {
        if let subscription { store.clear(subscription) }
        outcome = nil
    }

    /// Forgets the last read and ends its subscription; the shown reading stays.
    mutating func end(in store: Store) {
        if let subscription { store.unsubscribe(subscription) }
        subscription = nil
        outcome = nil
    }
}
