/// Somebody who wants to know when what it read has changed.
package protocol StoreSubscriber: AnyObject, Sendable {
    /// Called on the publishing thread, outside every lock of the store, in the order in which the subscriptions were
    /// made.
    ///
    /// It should mark itself as dirty and read again later. It may be called once more after `unsubscribe`, and for a
    /// change that it has already read.
    func storeDidChange(at epoch: Epoch)
}

/// Names one subscription of a store.
package struct SubscriptionID: Sendable, Hashable {
    let slot: UInt32
    /// How often the slot had subscriptions before.
    let use: UInt32
}
