/// A handle whose states an actor can observe: of a query, a fragment, many fragments, pages, a mutation or a
/// subscription.
///
/// `observe(listOf:on:)` delivers the changes of a list that the handle shows.
///
/// ### Behavior
///
/// - The first list comes with all its elements inserted, and each later list with its changes.
/// - A state without data leaves the list as it is, and a success without the list empties it.
/// - A change that leaves the list as it was notifies nobody.
/// - After a change, parents are notified before the children that were made of their data.
public protocol ObservableHandle<Data>: AnyObject, Sendable {
    /// The data that the handle shows in a success.
    associatedtype Data: Sendable & Equatable

    /// Runs the body on an actor: with the current state, and with every newer one, in order. The actor is held weakly.
    ///
    /// The handle keeps the body. A body that captures the handle keeps the handle, its data and its environment until
    /// the token is cancelled or the actor is deinitialized. A body that gets the handle as an argument does not.
    @discardableResult
    func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<Data>) -> Void
    ) -> ObservationToken

    /// The current state. Reading it sends no request.
    var result: QueryResult<Data> { get }

    /// The current state and every newer one, until the handle is deinitialized.
    var results: QueryResults<Data> { get }
}

extension ObservableHandle {
    /// Passes the current state and every newer one to an actor, as `observe(on:)` does. The actor is held weakly.
    @discardableResult
    public func addObserver<Observer: QueryObserver>(_ observer: Observer) -> ObservationToken
    where Observer.Data == Data {
        observe(on: observer) { observer, result in observer.queryDidChange(result) }
    }

    /// Runs the body on an actor, with the handle itself, so that the body need not capture it.
    ///
    ///     films.observe(on: screen) { screen, films, result in screen.draw(result, isBusy: films.isFetching) }
    ///
    /// The handle keeps the body, so a body that captures the handle keeps the handle, its data and its environment
    /// until the token is cancelled or the actor is deinitialized. This method passes the handle instead, and holds it
    /// weakly. Once the handle is released, nothing is delivered.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, Self, QueryResult<Data>) -> Void
    ) -> ObservationToken {
        observe(on: observer) { [weak self] (observer: isolated Observer, result: QueryResult<Data>) in
            if let self { body(observer, self, result) }
        }
    }
}
