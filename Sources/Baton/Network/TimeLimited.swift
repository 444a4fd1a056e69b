/// A request whose time is limited by a `TimeLimit`.
package protocol TimeLimited: AnyObject, Sendable {
    /// Called when the time is over. Returns true if the time begins again.
    func timeIsOver(of limit: TimeLimit) -> Bool
}
