/// An observer of the requests of an operation.
protocol RequestWatcher: AnyObject, Sendable {
    /// Called when a request begins or ends, on any thread while no lock is held; must be quick.
    func requestDidMove()
}
