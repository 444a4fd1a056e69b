/// Something of a query's data that failed to load, and that is loaded again when the query's handles are told to
/// fetch.
protocol Resumable: AnyObject, Sendable {
    /// The operation of the query; nil if there is none any more.
    var owner: BoundOperation? { get }
    /// Called in a task of the environment while no lock is held, after the handles of the query were told.
    func resume()
}
