/// An observer of new states of a handle.
protocol HandleObserver: AnyObject, Sendable {
    /// Called on any thread while no lock of the handle is held; must be quick. Returns false if the observer is to be
    /// removed.
    func notify() -> Bool
    /// Called when the handle is deinitialized.
    func end()
    /// True if nobody is left to be told. Called while no lock is held.
    var isGone: Bool { get }
}

extension HandleObserver {
    var isGone: Bool { false }
}
