/// An object that is notified when data that it read has changed.
package protocol StoreSubscriber: AnyObject, Sendable {
    /// Called on the publishing thread while no lock of the store is held, in the order in which the subscriptions were
    /// made.
    ///
    /// The subscriber should mark itself as dirty and read again later. It may be called once more after `unsubscribe`,
    /// and for a change that it has already read.
    func storeDidChange(at epoch: Epoch)

    /// The first half of `storeDidChange`, if others are told in between: the subscriber marks itself as dirty, and
    /// tells nobody.
    func mark(at epoch: Epoch)

    /// The second half: the subscriber tells those who look at it.
    func tell(at epoch: Epoch)
}

extension StoreSubscriber {
    package func mark(at epoch: Epoch) {}
    package func tell(at epoch: Epoch) { storeDidChange(at: epoch) }
}
