/// A preloaded query without its type.
protocol Preloaded: AnyObject, Sendable {
    /// Returns true if this is the operation, and its data has been fetched.
    func isFetched(_ operation: BoundOperation) -> Bool
    /// Passes the last event to a waiter that has found no request because the response lands at this moment. Returns
    /// false for another operation, and after the end of the preload.
    func follow(_ operation: BoundOperation, _ waiter: Waiter) -> Bool
}
