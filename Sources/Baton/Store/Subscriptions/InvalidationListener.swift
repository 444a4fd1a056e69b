/// A listener for invalidations.
protocol InvalidationListener: AnyObject, Sendable {
    /// Whether nobody is told any more, so that the listener may be removed.
    var isGone: Bool { get }
    /// Called on the publishing thread while no lock is held. Returns false if the listener is to be removed.
    func storeWasInvalidated() -> Bool
}
