/// What the handle of a fragment has read and shows, without the type of its data; a value inside the handle's state.
struct FragmentSight: Sendable {
    /// What kind of thing is shown; the number tells one failure from another.
    enum Face: Equatable, Sendable {
        case loading
        case failure(Int)
        case window
    }

    /// What to show of what was found: that, or a failure. No tuple: code for any type of data asks for the metadata of
    /// one at run time.
    struct Choice: Sendable {
        let face: Face
        var error: RelayError?
    }

    var face = Face.loading
    /// A `Reading` of the data; nil before the first read.
    var reading: (any AnyObject & Sendable)?
    /// A `HiddenData`: what was read while something else is shown.
    fileprivate(set) var hidden: (any AnyObject & Sendable)?
    fileprivate(set) var isMissingData = false
    /// Why there is no data, if a field that is needed has no value.
    fileprivate(set) var failure: RelayError?
    /// What was read; the next read takes over what has not changed. Nil before the first read.
    fileprivate(set) var dependencies: Dependencies?
    /// It is to show something else than what was read.
    var isRetargeted = true

    /// Forgets what was read; what is shown stays.
    mutating func forget() {
        hidden = nil
        isMissingData = false
        failure = nil
        dependencies = nil
    }
}

/// What comes of a read besides the data.
struct FragmentFinding: Sendable {
    /// What was read is not what was read before.
    let isDifferent: Bool
    /// What is to be logged.
    let problems: ReadProblems?
}

/// Data that was read and is not shown.
private final class HiddenData<Data: Sendable>: Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}

extension GraphQLFragment {
    /// Reads the fragment, and works out what a handle shows then. Outside every lock, since it runs code of the
    /// user's: conversions, and `==` of their values.
    ///
    /// - Parameters:
    ///   - sight: what was read and shown before, then what is.
    ///   - publish: the one that is the reason if what is shown changes.
    ///   - choose: says what to show of what was found.
    static func look(
        at bound: BoundFragment, in store: Store, _ sight: inout FragmentSight, publish: Int,
        choose: (_ isMissingData: Bool, _ hasData: Bool) -> FragmentSight.Choice
    ) -> FragmentFinding {
        var data: Data?
        let outcome = store.records.read(at: bound.record, bound.selections, tracking: true, after: sight.dependencies)
        { data = Data(&$0) }
        if outcome.isVoid { data = nil }
        let failure = outcome.problems?.failure
        let choice = choose(outcome.isMissingData, data != nil)
        let face = choice.face
        let old = sight.reading as? Reading<Data>
        let isDifferent =
            sight.dependencies == nil || sight.isMissingData != outcome.isMissingData || sight.failure != failure
            || oldData(old, sight) != data
        let isChange = sight.face == face && !sight.isRetargeted
        if sight.face != face || isDifferent && (sight.isRetargeted || face == .window) {
            let result: QueryResult<Data> =
                switch face {
                case .loading: .loading
                case .failure: .failure(choice.error ?? .noResponse)
                case .window: if let failure { .failure(failure) } else { .success(data) }
                }
            sight.reading = Reading(after: old, result, changedBy: isChange ? publish : nil)
        }
        sight.isMissingData = outcome.isMissingData
        sight.failure = failure
        sight.dependencies = outcome.dependencies
        sight.hidden = nil
        sight.face = face
        sight.isRetargeted = false
        if face != .window, let data { hide(data, in: &sight) }
        return FragmentFinding(isDifferent: isDifferent, problems: outcome.problems)
    }

    // Both apart, so that a first read does not ask for the metadata of what it does not need.
    @inline(never)
    private static func hide(_ data: Data, in sight: inout FragmentSight) { sight.hidden = HiddenData(data) }

    @inline(never)
    private static func oldData(_ shown: Reading<Data>?, _ sight: FragmentSight) -> Data? {
        sight.face == .window ? shown?.result.data : (sight.hidden as? HiddenData<Data>)?.data
    }

    /// A `Reading` that shows a failure.
    static func failure(_ error: RelayError, after sight: FragmentSight) -> any AnyObject & Sendable {
        Reading<Data>(after: sight.reading as? Reading<Data>, .failure(error))
    }
}

/// A look at the core of a handle, with the type of its data.
struct FragmentView<Fragment: GraphQLFragment>: HandleCore {
    let core: FragmentCore

    var environment: RelayEnvironment { core.environment }
    var audience: Audience { core.audience }
    var component: String { core.component }

    @inline(__always)
    func reading() -> Reading<Fragment.Data> { core.reading() as? Reading<Fragment.Data> ?? Reading() }
}
