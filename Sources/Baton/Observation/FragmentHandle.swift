/// Holds one fragment for a child component: what it shows now, and who is told when its own fields change.
///
/// It never fetches; the query that spreads the fragment does. Making one costs little, and nothing is read before
/// somebody asks. The operation that the reference came with is retained in the store from the making of the handle on,
/// while it lives.
///
/// - `loading`: a field is missing, and a request of the operation that the reference came with is in flight.
/// - `failure`: there is nothing to show, and the last request of that operation failed; or the reference comes from
///   another environment.
/// - `success`: what the store holds; nil if a value that may not be null is missing all the way up to the fragment.
public final class FragmentHandle<Fragment: GraphQLFragment>: Sendable {
    let core: FragmentCore

    /// Points at a record through a fragment.
    ///
    /// The environment is that from which the reference comes; it may be left out, since the reference knows it.
    public init(_ reference: FragmentReference<Fragment>, in environment: borrowing RelayEnvironment? = nil) {
        core = FragmentCore(
            Fragment.self, reference.target, in: copy environment ?? .home(of: reference.owner))
    }

    deinit { core.close() }

    private var view: FragmentView<Fragment> { FragmentView(core: core) }

    /// What there is to show; returns at once, from any thread.
    public func get() -> QueryResult<Fragment.Data> { view.result() }

    /// Where the handle points.
    public var reference: FragmentReference<Fragment> { FragmentReference(core.target) }

    /// Points at another record, or through other variables; does nothing if the reference is equal.
    public func update(_ reference: FragmentReference<Fragment>) { core.update(reference.target) }

    /// Runs the body on an actor: with the current state, and with every newer one, in order. The actor is held weakly.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<Fragment.Data>) -> Void
    ) -> ObservationToken {
        view.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and with every newer one.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Fragment.Data>) -> Void
    ) -> ObservationToken {
        view.observe(on: main, body)
    }

    /// The current state and every newer one, until the handle dies.
    public var results: QueryResults<Fragment.Data> { QueryResults(core: view) }

    /// The errors of the operation's last answer whose path lies in this fragment.
    public var errors: [GraphQLError] { core.environment.errors(in: reference) }

    /// True if a field of the fragment is not in the store.
    public var isMissingData: Bool { core.isMissingData }
}
