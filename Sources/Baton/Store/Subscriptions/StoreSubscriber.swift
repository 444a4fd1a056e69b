/// An object that is notified when data that it read has changed.
package protocol StoreSubscriber: AnyObject, Sendable {
    /// Called on the publishing thread while no lock of the store is held, in the order in which the subscriptions were
    /// made.
    ///
    /// The subscriber should mark itself as dirty and read again later. It may be called once more after `unsubscribe`,
    /// and for a change that it has already read.
    func storeDidChange(at epoch: Epoch)
}
