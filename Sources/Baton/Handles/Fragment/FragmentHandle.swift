import Synchronization

/// Holds one fragment for a child component: its current data, and the observers that are notified when its own fields
/// change.
///
/// A handle costs little, and nothing is read before the first `get`. Every method may be called from any thread.
///
/// - `loading`: A field is missing, and a request of the reference's operation is in flight, or a later part of any
///   response in flight will bring the field.
/// - `failure`: There is no data, and the last request of that operation failed. The state is also a failure if the
///   reference comes from another environment, or from one that has been deinitialized.
/// - `success`: The data in the store; nil if a non-null field has no value and no nullable field encloses it.
///
/// A handle of a fragment with `@refetchable` can fetch it again (``refetch(policy:)``). If the fragment has a
/// connection too, the handle loads its pages (``loadNext(_:)``). ``PluralFragmentHandle`` holds a fragment of many
/// records.
///
/// ### Behavior
///
/// - A handle shows the fields of its fragment, and changes of other fields do not notify it.
/// - A handle never sends a request, unless `refetch` or the loading of a page is called.
/// - A handle without a reference shows `.success(nil)`.
/// - A changed reference shows its data at once, and an equal one changes nothing.
/// - Data that a request of its owner may bring is loading.
/// - A deferred fragment is loading until it has arrived.
/// - A field with an error makes a fragment with `@throwOnFieldError` a failure.
/// - An error that `@catch` has caught is part of the data.
/// - The data is retained from the making of the handle to its end.
/// - Observers get the current state and every newer one, in order, and none after the end of the handle.
public final class FragmentHandle<Fragment: GraphQLFragment>: ObservableHandle {
    @usableFromInline let core: FragmentCore
    /// The refetches and pages; nil before the first call that needs them.
    let lateLoads = AtomicLazyReference<LoadCore>()

    /// Makes a handle for the record of a reference, which knows its environment and does not keep it alive.
    public init(_ reference: FragmentReference<Fragment>) {
        core = FragmentCore(Fragment.self, reference.target, in: .home(of: reference.owner))
    }

    /// Makes a handle for the record of a reference, which must come from the environment. Without a reference the
    /// state is `.success(nil)`.
    public init(_ reference: FragmentReference<Fragment>?, in environment: borrowing RelayEnvironment) {
        core = FragmentCore(Fragment.self, reference?.target, in: copy environment)
    }

    deinit {
        if let loads = lateLoads.load() { core.letGo { loads.close() } } else { core.letGo(nil) }
    }

    private var typed: TypedFragmentCore<Fragment> { TypedFragmentCore(core: core) }

    /// Returns the current state at once, from any thread.
    // The method is inlined, because code that does not know the type of the data requests its metadata (benchmark
    // `fragments.vs-foundation`).
    @inlinable
    public func get() -> QueryResult<Fragment.Data> {
        switch core.content() {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row?): .success(Fragment.Data(__row: row))
        case .data(nil), .rows: .success(nil)
        }
    }

    /// The current state, as ``get()`` returns it.
    @inlinable public var result: QueryResult<Fragment.Data> { self.get() }

    /// The current reference; nil if there is none. After a refetch it is the reference that the refetch has brought.
    public var reference: FragmentReference<Fragment>? {
        core.noteReference()
        return core.target.map { FragmentReference($0) }
    }

    /// Shows another record, or the same with other variables, or none.
    ///
    /// Does nothing if the reference equals the last one that the handle was given. A changed reference ends refetches
    /// and pages that are under way, and their data is no longer shown.
    public func show(_ reference: FragmentReference<Fragment>?) {
        if lateLoads.load() == nil { core.update(reference?.target) }
        // Another thread may have begun a load meanwhile.
        lateLoads.load()?.update(reference?.target)
    }

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

    /// The errors of the operation's last response whose path lies in this fragment, and the errors of the last page.
    public var errors: [GraphQLError] {
        core.noteRead()
        let own = reference.map { core.environment.errors(in: $0) } ?? []
        return own + (lateLoads.load()?.pageErrors ?? [])
    }

    /// True if a field of the fragment is missing in the store.
    public var isMissingData: Bool {
        core.noteRead()
        return core.isMissingData
    }

    /// The refetches and pages. If a frame is being drawn, it has read the handle then.
    var notedLoads: LoadCore? {
        core.noteRead()
        return lateLoads.load()
    }
}

extension FragmentHandle {
    /// Makes a handle for the record of a reference, which knows its environment. The state is `.loading` until the
    /// fragment has arrived.
    public convenience init(_ deferred: DeferredReference<Fragment>) { self.init(deferred.reference) }

    /// Makes a handle for the record of a reference, which must come from the environment. The state is `.loading`
    /// until the fragment has arrived. For a reference that may be nil, pass `deferred?.reference`.
    public convenience init(_ deferred: DeferredReference<Fragment>, in environment: borrowing RelayEnvironment) {
        self.init(deferred.reference, in: copy environment)
    }

    /// Shows another record, or the same with other variables; does nothing if the references are equal.
    public func show(_ deferred: DeferredReference<Fragment>) { show(deferred.reference) }
}

/// A view of a handle's core with the type of its data.
struct TypedFragmentCore<Fragment: GraphQLFragment>: TypedCore {
    typealias Data = Fragment.Data

    let core: FragmentCore
}
