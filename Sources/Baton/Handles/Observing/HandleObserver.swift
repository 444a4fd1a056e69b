/// An observer of new states of a handle.
protocol HandleObserver: AnyObject, Sendable {
    /// Called on any thread while no lock of the handle is held; must be quick. Returns false if the observer should be
    /// removed.
    func notify() -> Bool
    /// Called when the handle is deinitialized.
    func end()
    /// True if the observer has no receiver any more. Called while no lock is held.
    var isGone: Bool { get }
    /// True if the receiver lives and was told nothing yet.
    var isUntold: Bool { get }
}

extension HandleObserver {
    var isGone: Bool { false }
    var isUntold: Bool { false }
}
