/// A handle that fetches again by itself.
protocol Refreshable: AnyObject, Sendable {
    var triggers: Freshness.Triggers { get }
    /// The operation whose data the handle shows; nil before it was asked.
    var operation: BoundOperation? { get }
    /// Called in a task of the environment while no lock is held.
    func refresh(because cause: RefreshCause)
}
