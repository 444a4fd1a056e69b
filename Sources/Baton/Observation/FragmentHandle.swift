/// Holds one fragment for a child component: its current data, and the observers that are notified when its own fields
/// change.
///
/// The handle never sends a request; the query that spreads the fragment does. A handle costs little, and nothing is
/// read before the first `get`. The handle retains the operation of its reference from its initialization on.
///
/// - `loading`: A field is missing, and a request of the reference's operation is in flight.
/// - `failure`: There is no data, and the last request of that operation failed; or the reference comes from another
///   environment.
/// - `success`: The data in the store; nil if a non-null field has no value and no nullable field encloses it.
public final class FragmentHandle<Fragment: GraphQLFragment>: Sendable {
    let core: FragmentCore

    /// Makes a handle for the record of a reference.
    ///
    /// The environment must be the one that the reference comes from. It may be left out, since the reference knows its
    /// environment.
    public init(_ reference: FragmentReference<Fragment>, in environment: borrowing RelayEnvironment? = nil) {
        core = FragmentCore(
            Fragment.self, reference.target, in: copy environment ?? .home(of: reference.owner))
    }

    deinit { core.close() }

    private var typed: TypedFragmentCore<Fragment> { TypedFragmentCore(core: core) }

    /// Returns the current state at once, from any thread.
    public func get() -> QueryResult<Fragment.Data> { typed.result() }

    /// The current reference.
    public var reference: FragmentReference<Fragment> { FragmentReference(core.target) }

    /// Changes the reference to another record or other variables; does nothing if the references are equal.
    public func update(_ reference: FragmentReference<Fragment>) { core.update(reference.target) }

    /// Runs the body on an actor: with the current state, and with every newer one, in order. The actor is held weakly.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<Fragment.Data>) -> Void
    ) -> ObservationToken {
        typed.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and with every newer one.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Fragment.Data>) -> Void
    ) -> ObservationToken {
        typed.observe(on: main, body)
    }

    /// The current state and every newer one, until the handle is deinitialized.
    public var results: QueryResults<Fragment.Data> { QueryResults(core: typed) }

    /// The errors of the operation's last answer whose path lies in this fragment.
    public var errors: [GraphQLError] { core.environment.errors(in: reference) }

    /// True if a field of the fragment is missing in the store.
    public var isMissingData: Bool { core.isMissingData }
}
