/// A request that a time limit tells of its end.
package protocol TimeLimited: AnyObject, Sendable {
    /// The time is over. Returns true if it begins again.
    func timeIsOver(of limit: TimeLimit) -> Bool
}
