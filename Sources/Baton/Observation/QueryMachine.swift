/// The decisions of a query handle: what it shows, which request it waits for, and what it keeps.
///
/// The machine is a value without locks, tasks or data. The shell passes one `Event` at a time and runs the resulting
/// actions in order: those that concern its state inside its lock, those that call other objects outside. `next(at:)`
/// tells the shell what to find out before the shown state is known; `read` and `sought` take the results. The table of
/// `QueryHandle.get` is in `evaluate`.
struct QueryMachine: Equatable {
    /// The kind of state that a handle shows.
    enum Phase: Equatable {
        /// Nothing was asked for yet.
        case idle
        /// The handle shows nothing until the request has an answer.
        case loading
        /// The handle shows the data in the store.
        case showing
        /// The handle shows null, because the service answered `{"data": null}` without errors.
        case showingNull
        /// The handle shows an error, because there is no data to show instead.
        case failed(RelayError)
    }

    /// An event of a handle.
    enum Event: Equatable {
        /// The first call, or a call with other variables, with the errors of the last answer for these variables.
        case asked(Availability, isFetched: Bool, errors: [GraphQLError])
        /// A call with the same variables and another fetch key.
        case askedAgain(Availability, isFetched: Bool)
        case refetched(Availability)
        case retried(Availability)
        /// The answer of a request has landed, with the number of its publish if it made one.
        case answered(
            Int, Content, errors: [GraphQLError], availability: Availability, hasNext: Bool, publish: Int?)
        /// A request has failed.
        case failed(Int, RelayError, Availability)
        /// The store was emptied.
        case emptied
        /// The handle was deinitialized.
        case closed

        /// True if a request must be sent even if the operation was fetched under the key.
        var forcesRequest: Bool {
            switch self {
            case .refetched, .retried: true
            default: false
            }
        }

        /// True if the fetch key has changed, so that a request under another key is not shared.
        var changesKey: Bool {
            if case .askedAgain = self { true } else { false }
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
        /// Forget the data that was read, and end the subscription to it.
        case forgetSight
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
        case window
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
    }

    /// The state of the search for missing data while a failure is shown, because other operations may bring the data.
    private enum Seeking: Equatable {
        case off
        case due
        /// The search was done after this number of changes.
        case done(changes: Int)
    }

    /// The `data` of an answer.
    enum Content: Equatable {
        /// An object, which is in the store now.
        case object
        /// `null` or nothing.
        case null
    }

    let policy: FetchPolicy
    private(set) var phase = Phase.idle
    /// The number of the request that the handle waits for.
    private(set) var request: Int?
    /// The error of the last request, until the next one begins.
    private(set) var fetchError: RelayError?
    /// The errors of the last answer.
    private(set) var errors: [GraphQLError] = []
    private(set) var reader = ReaderMachine(isOutdated: false)
    private(set) var isMissingData = false
    private var lastRequest = 0
    private var status = Status()
    /// A number that grows with every change of the errors.
    private var errorChanges = 0
    private var seeking = Seeking.off
    /// The publish of the awaited answer, until its data is shown.
    private var arrival: Int?
    /// The result of the last read; nil before the first read of the data to show.
    private var found: Found?
    /// True if data of the current ask was shown.
    private(set) var hasShown = false

    var isClosed: Bool { reader.freshness == .closed }

    init(policy: FetchPolicy) {
        self.policy = policy
    }

    // MARK: - Events

    mutating func on(_ event: Event) -> [Action] {
        guard !isClosed else { return [] }
        var actions: [Action] = []
        switch event {
        case .asked(let availability, let isFetched, let errors):
            actions = [.leave(keeping: hasShown), .forgetSight]
            turn()
            arrival = nil
            note(errors)
            let wasWaiting = request != nil
            actions += evaluate(availability, isFetched: isFetched)
            if wasWaiting && request == nil { actions.append(.resumeRefetches) }
        case .askedAgain(let availability, let isFetched):
            actions = askAgain(availability, isFetched: isFetched)
        case .refetched(let availability):
            actions = refetch(availability)
        case .retried(let availability):
            actions = retry(availability)
        case .answered(let number, let content, let errors, let availability, let hasNext, let publish):
            let hadError = fetchError != nil
            guard answered(number, content, errors: errors, availability: availability, hasNext: hasNext) else {
                return []
            }
            note(errors)
            arrival = publish
            if hadError || fetchError != nil { errorChanges += 1 }
            if request == nil { actions = [.finish(number)] }
        case .failed(let number, let error, let availability):
            guard failed(number, error, availability: availability) else { return [] }
            errorChanges += 1
            actions = [.finish(number)]
        case .emptied:
            actions = [.forgetSight, .forgetShown, .resumeRefetches]
            turn()
            note([])
            actions += reset()
        case .closed:
            actions = request.map { [.abandon($0)] }.orEmpty
            actions += [.leave(keeping: false), .forgetSight, .forgetShown, .endSearch, .resumeRefetches]
            request = nil
            seeking = .off
            reader.close()
            return actions
        }
        settle(&actions)
        return actions
    }

    /// Notes that the old read belongs to another ask.
    private mutating func turn() {
        reader.turned()
        found = nil
        hasShown = false
    }

    private mutating func note(_ errors: [GraphQLError]) {
        if !errors.isEmpty || !self.errors.isEmpty { errorChanges += 1 }
        self.errors = errors
    }

    /// Derives the actions that follow from the phase. The store is not read here; the next call of `next(at:)` asks
    /// for a read.
    private mutating func settle(_ actions: inout [Action]) {
        if !mayRecover {
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
        let isShown = reader.face == .window && !reader.isOutdated && arrival == nil && status == currentStatus
        return isShown ? .none : .present
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
        let change: ReaderMachine.Change?
        let shown: Shown
        switch phase {
        case .idle, .loading:
            (shown, change) = (.loading, reader.show(.loading, isDifferent: false, publish: nil, arrival: nil))
        case .failed(let error):
            let face = ReaderMachine.Face.failure(errorChanges)
            (shown, change) = (.failure(error), reader.show(face, isDifferent: false, publish: nil, arrival: nil))
        case .showingNull:
            (shown, change) = (.null, reader.show(.null, isDifferent: false, publish: nil, arrival: nil))
        case .showing:
            // The data was not read before the awaited answer, so no subscription could have reported its publish.
            shown = .window
            change = reader.show(.window, isDifferent: isDifferent, publish: publish, arrival: arrival)
            arrival = nil
            if found != .failure { hasShown = found == .data }
        }
        let last = status
        status = currentStatus
        // A change of the status is delivered to observers, though the result is the same.
        if let change { return .show(shown, publish: change.publish) }
        return status == last ? nil : .show(.same, publish: nil)
    }

    private var currentStatus: Status {
        let isWindow = reader.face == .window && !reader.isOutdated
        return Status(
            isFetching: request != nil, isMissingData: isWindow && found != nil && isMissingData, errors: errorChanges)
    }

    /// True if a field of the shown data is missing.
    var showsMissingData: Bool { status.isMissingData }

    /// Takes the result of a search for missing data after `changes` changes.
    mutating func sought(_ availability: Availability, at changes: Int) -> Search {
        guard !isClosed, seeking != .off else { return .dropped }
        if completed(availability) {
            seeking = .off
            return .ended
        }
        seeking = .done(changes: changes)
        return .going
    }

    // MARK: - The policies

    /// Evaluates the policy for the first call or for other variables: a row of the table.
    ///
    /// - Parameter isFetched: True if the operation was fetched under the fetch key of the call and its data is still
    ///   there.
    mutating func evaluate(_ availability: Availability, isFetched: Bool) -> [Action] {
        let abandoned = request
        request = nil
        fetchError = nil
        let actions: [Action]
        switch (policy, availability) {
        case (.storeOnly, _), (.storeOrNetwork, .available):
            phase = .showing
            actions = []
        case _ where isFetched:
            phase = .showing
            actions = []
        case (.storeAndNetwork, .available):
            phase = .showing
            actions = [start()]
        default:
            phase = .loading
            actions = [start()]
        }
        return actions + abandoned.map { [.abandon($0)] }.orEmpty
    }

    /// Evaluates the policy for the same variables and another fetch key.
    mutating func askAgain(_ availability: Availability, isFetched: Bool) -> [Action] {
        guard isFetched, policy != .storeOnly else { return refetch(availability) }
        if request == nil {
            phase = .showing
            fetchError = nil
        }
        return []
    }

    /// Sends a request under every policy but `storeOnly`; complete data may stay on show.
    mutating func refetch(_ availability: Availability) -> [Action] {
        guard phase != .idle else { return [] }
        switch policy {
        case .storeOnly:
            phase = .showing
            return []
        case .networkOnly, .networkOrStore:
            phase = .loading
        case .storeOrNetwork, .storeAndNetwork:
            if phase != .showing && phase != .showingNull || !availability.isComplete { phase = .loading }
        }
        fetchError = nil
        let abandoned = request
        // The new wait begins before the old one ends, so that it can share the request in flight.
        return [start()] + abandoned.map { [.abandon($0)] }.orEmpty
    }

    /// Handles the reset of the store: the same data is asked for again, as in a first call.
    mutating func reset() -> [Action] {
        phase == .idle ? [] : evaluate(.unknown, isFetched: false)
    }

    /// Sends a request if the last one failed.
    mutating func retry(_ availability: Availability) -> [Action] {
        guard request == nil, fetchError != nil else { return [] }
        return refetch(availability)
    }

    /// Handles an answer; returns false if the handle does not wait for its request.
    ///
    /// - Parameter availability: The availability of the operation's data now.
    mutating func answered(
        _ number: Int, _ content: Content, errors: [GraphQLError], availability: Availability, hasNext: Bool
    ) -> Bool {
        guard number == request else { return false }
        switch content {
        case .object:
            fetchError = nil
            phase = .showing
        case .null where !errors.isEmpty || policy == .networkOrStore && availability.isComplete:
            fail(.noData(errors), availability)
        case .null:
            fetchError = nil
            phase = .showingNull
        }
        if !hasNext { request = nil }
        return true
    }

    /// Handles the failure of a request; returns false if the handle does not wait for it.
    mutating func failed(_ number: Int, _ error: RelayError, availability: Availability) -> Bool {
        guard number == request else { return false }
        request = nil
        fail(error, availability)
        return true
    }

    /// Handles a change of the store while a failure is shown; returns true if there is data to show instead.
    ///
    /// The data must be what a first call would show at once, or what the policy uses after a failure. `fetchError`
    /// stays set.
    mutating func completed(_ availability: Availability) -> Bool {
        guard mayRecover else { return false }
        guard policy == .networkOrStore ? availability.isComplete : availability.isAvailable else { return false }
        phase = .showing
        return true
    }

    /// True if a failure is shown that data from other operations can end.
    var mayRecover: Bool {
        guard case .failed = phase else { return false }
        return policy != .networkOnly && policy != .storeOnly
    }

    /// Handles an error. Complete data stays if it is shown already or if the policy uses it after a failure.
    private mutating func fail(_ error: RelayError, _ availability: Availability) {
        fetchError = error
        let mayShow = phase == .showing || policy == .networkOrStore
        phase = mayShow && availability.isComplete ? .showing : .failed(error)
    }

    private mutating func start() -> Action {
        lastRequest += 1
        request = lastRequest
        return .start(lastRequest)
    }
}

extension Optional where Wrapped == [QueryMachine.Action] {
    fileprivate var orEmpty: [QueryMachine.Action] { self ?? [] }
}
