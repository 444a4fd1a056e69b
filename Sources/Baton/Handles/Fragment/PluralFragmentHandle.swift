/// Holds one fragment of many records for a component: the data of all of them, in the order of the references.
///
/// It serves fragments with `@relay(plural: true)`, and components that show a list as a whole. If each row has a
/// component of its own, the row should have a ``FragmentHandle``: a plural handle notifies its observers of every
/// change in its rows.
///
/// ### Behavior
///
/// - The data stands in the order of the references, with nil for a record that has none.
/// - While one record is loading, all of them are.
/// - The first failure is the failure of all.
/// - A change of one record tells the observers once.
/// - References that stay are not read again.
public final class PluralFragmentHandle<Fragment: GraphQLFragment>: ObservableHandle {
    private let core: PluralFragmentCore

    /// Makes a handle for the records of some references, which must come from the environment.
    public init(_ references: some Sequence<FragmentReference<Fragment>>, in environment: RelayEnvironment) {
        core = PluralFragmentCore(Fragment.self, in: environment)
        core.update(references.map(\.target))
    }

    deinit { core.letGo() }

    private var typed: TypedPluralCore<Fragment> { TypedPluralCore(core: core) }

    /// Returns the current state at once, from any thread. Takes time linear in the references.
    public func get() -> QueryResult<[Fragment.Data?]> { typed.result() }

    /// The current state, as ``get()`` returns it.
    public var result: QueryResult<[Fragment.Data?]> { self.get() }

    /// The current references.
    public var references: [FragmentReference<Fragment>] {
        Recording.note(typed)
        return core.targets.map { FragmentReference($0) }
    }

    /// Shows the records of other references; does nothing if the references are equal.
    public func show(_ references: some Sequence<FragmentReference<Fragment>>) {
        core.update(references.map(\.target))
    }

    /// Runs the body on an actor: with the current state, and with every newer one, in order. The actor is held weakly.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<[Fragment.Data?]>) -> Void
    ) -> ObservationToken {
        typed.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and with every newer one.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<[Fragment.Data?]>) -> Void
    ) -> ObservationToken {
        typed.observe(on: main, body)
    }

    /// The current state and every newer one, until the handle is deinitialized.
    public var results: QueryResults<[Fragment.Data?]> { QueryResults(core: typed) }

    /// True if a field of one of the fragments is missing in the store.
    public var isMissingData: Bool {
        Recording.note(typed)
        return core.isMissingData
    }
}

/// A view of a plural core with the type of its data.
struct TypedPluralCore<Fragment: GraphQLFragment>: TypedCore {
    typealias Data = [Fragment.Data?]

    let core: PluralFragmentCore

    func result(of reading: Reading) -> QueryResult<Data> {
        switch reading.content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row): .success(row.map { [Fragment.Data(__row: $0)] })
        case .rows(let rows): .success(rows.map { $0.map { Fragment.Data(__row: $0) } })
        }
    }
}
