/// A listener for invalidations.
protocol InvalidationListener: AnyObject, Sendable {
    /// True if the listener informs no observer any more, so that it may be removed.
    var isGone: Bool { get }
    /// Called on the publishing thread while no lock is held. Returns false if the listener is to be removed.
    func storeWasInvalidated() -> Bool
}
