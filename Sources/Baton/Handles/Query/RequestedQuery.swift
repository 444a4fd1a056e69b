/// The operation and the fetch key of a call of `get`. A new object replaces it when the handle is called with other
/// ones.
protocol RequestedQuery: AnyObject, Sendable {
    var operation: BoundOperation { get }
    var key: (any Hashable & Sendable)? { get }
    /// Returns the same call, whose data is that of an event.
    func following(_ event: BoundOperation) -> any RequestedQuery
}
