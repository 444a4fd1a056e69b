@testable import Baton

/// The decisions of a query handle: what it shows, what it reads, and what it keeps.
///
/// The machine is a value without locks, tasks or data. The shell passes one `Event` at a time and runs the resulting
/// actions in order: those that concern its state inside its lock, those that call other objects outside. `next(at:)`
/// tells the shell what to find out before the shown state is known; `read` and `sought` take the results. A
/// `FormerFetchMachine` decides about the policy, and a `FormerReaderMachine` decides whether the store must be read.
struct FormerQueryMachine: Equatable {
    /// An event of a handle.
    enum Event: Equatable {
        /// The first call, or a call with other variables, with the errors of the last answer for these variables.
        case variablesChanged(Availability, isFetched: Bool, mayShowStale: Bool = false, errors: [GraphQLError])
        /// A call with the same variables and another fetch key.
        case fetchKeyChanged(Availability, isFetched: Bool)
        case refetched(Availability)
        case retried(Availability)
        /// The data is to be fetched again, though the caller has not asked for it.
        case refreshed
        /// The answer of a request has landed, with the number of its publish if it made one.
        case answered(
            Int, FormerFetchMachine.Content, errors: [GraphQLError], availability: Availability, hasNext: Bool,
            publish: Int?)
        /// A request has failed.
        case failed(Int, RelayError, Availability)
        /// An event of a subscription has landed under another root, which is the requested operation from now on. Its
        /// `answered` follows.
        case replaced
        /// The stream of a subscription has ended.
        case completed(Int)
        /// The connection of a subscription has another state.
        case connected(Int, TransportState)
        /// The caller does not wait for the answer any more.
        case cancelled(Availability)
        /// The caller wants nothing at present.
        case skipped
        /// The store was emptied. Without `asksAgain` the same data is asked for again only by the caller.
        case emptied(asksAgain: Bool)
        /// The handle was deinitialized.
        case closed

        /// True if a request must be sent even if the operation was fetched under the key.
        var forcesRequest: Bool {
            switch self {
            case .refetched, .retried, .refreshed: true
            default: false
            }
        }

        /// True if the fetch key has changed, so that a request under another key is not shared.
        var changesKey: Bool {
            if case .fetchKeyChanged = self { true } else { false }
        }
    }

    /// An action for the shell.
    enum Action: Equatable {
        /// Wait for a request with this number: a new one, or one in flight that may be shared.
        case start(Int)
        /// Stop waiting for this request.
        case abandon(Int)
        /// Forget this request, which has ended, and resume the waiting refetches.
        case finish(Int)
        /// Release the old operation. If its data was shown, keep the operation instead of the one that was kept
        /// before.
        case leave(keeping: Bool)
        /// Forget the data that was read. The subscription to it waits for the next read.
        case forgetRead
        /// Forget the data that was read, and end the subscription to it.
        case endRead
        /// Forget the data that was shown, and release the operation that was kept for it.
        case forgetShown
        /// End the subscription to the missing data.
        case endSearch
        /// Resume the waiting refetches.
        case resumeRefetches
        case show(Shown, publish: Int?)
    }

    /// The state to show.
    enum Shown: Equatable {
        case loading
        case failure(RelayError)
        case null
        /// The data that was read.
        case data
        /// The same state as before, with another status.
        case same
    }

    /// The shell's next step before the shown state is known.
    enum Step: Equatable {
        case none
        /// Read the store, and pass the result to `read`.
        case read
        /// Show the data that was read: call `present`.
        case present
        /// Check whether the missing data has arrived, and call `sought`. At the first time the store was checked just
        /// before.
        case seek(isFirst: Bool)
    }

    /// The result of a search for missing data.
    enum Search: Equatable {
        /// The handle has moved on meanwhile.
        case dropped
        /// Nothing is missing any more, and the data is shown; the subscription ends.
        case ended
        /// The search goes on, with a subscription to the missing data if there is any.
        case going
    }

    /// The result of a read.
    enum Found: Equatable {
        case data
        case nothing
        case failure
    }

    /// The status that belongs to a result without being part of it.
    private struct Status: Equatable {
        var isFetching = false
        var isMissingData = false
        var errors = 0
        var connection: TransportState?
    }

    /// The state of the search for missing data while a failure is shown, because other operations may bring the data.
    private enum Seeking: Equatable {
        case off
        case due
        /// The search was done after this number of changes.
        case done(changes: Int)
    }

    private var fetch: FormerFetchMachine
    /// The errors of the last answer.
    private(set) var errors: [GraphQLError] = []
    private(set) var reader = FormerReaderMachine(isOutdated: false)
    private(set) var isMissingData = false
    private var status = Status()
    /// The state of the connection; nil if no subscription is awaited, or if its transport has not said anything.
    private(set) var connection: TransportState?
    /// A number that grows with every change of the errors.
    private var errorChanges = 0
    private var seeking = Seeking.off
    /// The publish of the awaited answer, until its data is shown.
    private var arrival: Int?
    /// The result of the last read; nil before the first read of the data to show.
    private var found: Found?
    /// True if data of the requested query was shown.
    private(set) var hasShown = false

    var isClosed: Bool { reader.freshness == .closed }
    var phase: FormerFetchMachine.Phase { fetch.phase }
    var policy: FetchPolicy { fetch.policy }
    /// True after a reset of the store, until the data is asked for again.
    var isResting: Bool { fetch.isResting }
    /// True if data may be shown of which a part is missing and on its way.
    var showsParts: Bool { fetch.showsParts }
    /// The number of the request that the handle waits for.
    var request: Int? { fetch.request }
    /// The error of the last request, until the next one begins.
    var fetchError: RelayError? { fetch.fetchError }

    init(policy: FetchPolicy, renderPolicy: RenderPolicy = .full) {
        fetch = FormerFetchMachine(policy: policy, renderPolicy: renderPolicy)
    }

    // MARK: - Events

    mutating func on(_ event: Event) -> [Action] {
        guard !isClosed else { return [] }
        var actions: [Action] = []
        switch event {
        case .variablesChanged(let availability, let isFetched, let mayShowStale, let errors):
            actions = [.leave(keeping: hasShown), .forgetRead]
            forgetRead()
            arrival = nil
            setErrors(errors)
            let wasWaiting = request != nil
            actions += fetch.variablesChanged(availability, isFetched: isFetched, mayShowStale: mayShowStale)
                .map(Action.init)
            if wasWaiting && request == nil { actions.append(.resumeRefetches) }
        case .fetchKeyChanged(let availability, let isFetched):
            actions = fetch.fetchKeyChanged(availability, isFetched: isFetched).map(Action.init)
        case .refetched(let availability):
            actions = fetch.refetch(availability).map(Action.init)
        case .retried(let availability):
            actions = fetch.retry(availability).map(Action.init)
        case .refreshed:
            actions = fetch.refresh().map(Action.init)
        case .answered(let number, let content, let errors, let availability, let hasNext, let publish):
            let hadError = fetchError != nil
            let isAwaited = fetch.answered(
                number, content, errors: errors, availability: availability, hasNext: hasNext)
            guard isAwaited else { return [] }
            setErrors(errors)
            arrival = publish
            if hadError || fetchError != nil { errorChanges += 1 }
            if request == nil { actions = [.finish(number)] }
        case .failed(let number, let error, let availability):
            guard fetch.failed(number, error, availability: availability) else { return [] }
            errorChanges += 1
            actions = [.finish(number)]
        case .replaced:
            reader.targetChanged()
            found = nil
            return [.forgetRead]
        case .completed(let number):
            guard fetch.completed(number) else { return [] }
            actions = [.finish(number)]
        case .connected(let number, let connection):
            guard number == request else { return [] }
            self.connection = connection
        case .cancelled(let availability):
            actions = fetch.cancelled(availability).map(Action.init)
            guard !actions.isEmpty else { return [] }
            errorChanges += 1
            actions.append(.resumeRefetches)
        case .skipped:
            guard phase != .idle else { return [] }
            actions = [.leave(keeping: hasShown), .forgetRead]
            forgetRead()
            arrival = nil
            setErrors([])
            actions += fetch.skipped().map(Action.init) + [.resumeRefetches]
        case .emptied(let asksAgain):
            actions = [.forgetRead, .forgetShown, .resumeRefetches]
            forgetRead()
            arrival = nil
            setErrors([])
            let error = fetchError
            actions += fetch.emptied(asksAgain: asksAgain).map(Action.init)
            if error != fetchError { errorChanges += 1 }
        case .closed:
            actions = fetch.closed().map(Action.init)
            actions += [.leave(keeping: false), .endRead, .forgetShown, .endSearch, .resumeRefetches]
            seeking = .off
            reader.close()
            return actions
        }
        if request == nil { connection = nil }
        followPhase(&actions)
        return actions
    }

    /// Notes that the last read belongs to another requested query.
    private mutating func forgetRead() {
        reader.targetChanged()
        found = nil
        hasShown = false
    }

    private mutating func setErrors(_ errors: [GraphQLError]) {
        if !errors.isEmpty || !self.errors.isEmpty { errorChanges += 1 }
        self.errors = errors
    }

    /// Derives the actions that follow from the phase. The store is not read here; the next call of `next(at:)` asks
    /// for a read.
    private mutating func followPhase(_ actions: inout [Action]) {
        if !fetch.mayRecover {
            if seeking != .off { actions.append(.endSearch) }
            seeking = .off
        } else if seeking == .off {
            seeking = .due
        }
        guard phase != .showing, let action = present(isDifferent: false, publish: nil) else { return }
        actions.append(action)
    }

    // MARK: - Reading

    /// Returns the shell's next step after `changes` changes.
    func next(at changes: Int) -> Step {
        if isClosed { return .none }
        if seeking != .off, seeking != .done(changes: changes) { return .seek(isFirst: seeking == .due) }
        guard phase == .showing else { return .none }
        if reader.mustRead(at: changes) { return .read }
        let isShown =
            isAwaitingParts ? reader.shown == .loading : reader.shown == .data && arrival == nil
        return isShown && !reader.isOutdated && status == currentStatus ? .none : .present
    }

    /// Takes the result of a read; returns false if the handle has moved on since `moves`. `present` must follow.
    mutating func read(_ found: Found, isMissingData: Bool, since moves: Int, at changes: Int) -> Bool {
        guard phase == .showing, reader.read(since: moves, at: changes) else { return false }
        self.found = found
        self.isMissingData = isMissingData
        return true
    }

    /// Returns the action that shows the new state; nil if neither the state nor the status has changed.
    ///
    /// - Parameter publish: The publish that caused the change, if the data that was read `isDifferent`.
    mutating func present(isDifferent: Bool, publish: Int?) -> Action? {
        if isClosed { return nil }
        let change: FormerReaderMachine.Change?
        let shown: Shown
        switch phase {
        case .idle, .loading:
            (shown, change) = (.loading, reader.show(.loading, isDifferent: false, publish: nil, arrival: nil))
        case .failed(let error):
            let failure = FormerReaderMachine.Shown.failure(errorChanges)
            (shown, change) = (.failure(error), reader.show(failure, isDifferent: false, publish: nil, arrival: nil))
        case .showingNull:
            (shown, change) = (.null, reader.show(.null, isDifferent: false, publish: nil, arrival: nil))
        case .showing where isAwaitingParts:
            (shown, change) = (.loading, reader.show(.loading, isDifferent: false, publish: nil, arrival: nil))
        case .showing:
            // The data was not read before the awaited answer, so no subscription could have reported its publish.
            shown = .data
            change = reader.show(.data, isDifferent: isDifferent, publish: publish, arrival: arrival)
            arrival = nil
            if found != .failure { hasShown = found == .data }
        }
        let last = status
        status = currentStatus
        // A change of the status is delivered to observers, though the result is the same.
        if let change { return .show(shown, publish: change.publish) }
        return status == last ? nil : .show(.same, publish: nil)
    }

    /// True if the parts that are there are nothing to show yet.
    private var isAwaitingParts: Bool {
        fetch.showsParts && request != nil && (found == .nothing || found == .failure && isMissingData)
    }

    /// True if the data that was read is on show, so that it is the last data from now on.
    var showsRead: Bool { reader.shown == .data && found != .failure }

    private var currentStatus: Status {
        let isData = reader.shown == .data && !reader.isOutdated
        return Status(
            isFetching: request != nil, isMissingData: isData && found != nil && isMissingData, errors: errorChanges,
            connection: connection)
    }

    /// True if a field of the shown data is missing.
    var showsMissingData: Bool { status.isMissingData }

    /// Takes the result of a search for missing data after `changes` changes.
    mutating func sought(_ availability: Availability, at changes: Int) -> Search {
        guard !isClosed, seeking != .off else { return .dropped }
        if fetch.recovers(with: availability) {
            seeking = .off
            return .ended
        }
        seeking = .done(changes: changes)
        return .going
    }
}

extension FormerQueryMachine.Action {
    fileprivate init(_ action: FormerFetchMachine.Action) {
        switch action {
        case .start(let number): self = .start(number)
        case .abandon(let number): self = .abandon(number)
        }
    }
}
