/// An actor that gets the states of a handle.
///
///     actor Screen: QueryObserver {
///         func queryDidChange(_ result: QueryResult<FilmListQuery.Data>) { draw(result) }
///     }
///     films.addObserver(screen)
///
/// ### Behavior
///
/// - An observer is told of the current state when it is added, and of every newer one.
/// - An observer is held weakly, and is told nothing after its token was cancelled.
public protocol QueryObserver<Data>: Actor {
    /// The data that the handle shows in a success.
    associatedtype Data: Sendable & Equatable

    /// Called with the current state, and with every newer one, in order. States that are not the newest any more are
    /// skipped.
    func queryDidChange(_ result: QueryResult<Data>)
}
