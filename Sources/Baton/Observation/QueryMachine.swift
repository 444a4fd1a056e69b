/// The decisions of a query handle: what it shows, which request it waits for, and what it keeps.
///
/// A value without locks, tasks or data. The shell puts in an `Event` at a time, and does what comes out in this order:
/// what concerns its state under its lock, what calls others outside. `next(at:)` says what it must find out before it
/// can tell what is shown; `read` and `sought` take what it has found. The table of `QueryHandle.get` is `evaluate`.
struct QueryMachine: Equatable {
    /// What a handle shows.
    enum Phase: Equatable {
        /// Nothing was asked for.
        case idle
        /// Nothing until the request has an answer.
        case loading
        /// What the store holds.
        case showing
        /// Nothing, because the service said so without an error: `{"data": null}`.
        case showingNull
        /// An error, with nothing to show instead.
        case failed(RelayError)
    }

    /// What happens to a handle.
    enum Event: Equatable {
        /// The first call, or one with other variables than before; with the errors of their last answer.
        case asked(Availability, isFetched: Bool, errors: [GraphQLError])
        /// A call with the same variables under another fetch key.
        case askedAgain(Availability, isFetched: Bool)
        case refetched(Availability)
        case retried(Availability)
        /// The answer of a request has landed; with its publish, if it made one.
        case answered(
            Int, Content, errors: [GraphQLError], availability: Availability, hasNext: Bool, publish: Int?)
        /// A request has failed.
        case failed(Int, RelayError, Availability)
        /// The store was emptied.
        case emptied
        /// The handle has died.
        case closed

        /// The network is asked whatever was fetched under the key.
        var forcesRequest: Bool {
            switch self {
            case .refetched, .retried: true
            default: false
            }
        }

        /// The key is another than before: a request that began under another key is not shared.
        var changesKey: Bool {
            if case .askedAgain = self { true } else { false }
        }
    }

    /// What the shell has to do.
    enum Action: Equatable {
        /// Wait for the answer of a request of this number: a new one, or one in flight that may be shared.
        case start(Int)
        /// Stop waiting for this request.
        case abandon(Int)
        /// Forget this request, which has ended, and let those go on who wait for a refetch.
        case finish(Int)
        /// Let go of the operation before; if it was shown, keep it instead of the one that was kept until now.
        case leave(keeping: Bool)
        /// Forget what was read, and end the subscription to it.
        case forgetSight
        /// Forget what was shown, with the operation that was kept for it.
        case forgetShown
        /// End the subscription to what is missing.
        case endSearch
        /// Let those go on who wait for a refetch.
        case resumeRefetches
        case show(Shown, publish: Int?)
    }

    /// What is to be shown.
    enum Shown: Equatable {
        case loading
        case failure(RelayError)
        case null
        /// What was read.
        case window
        /// What is shown already, with another status.
        case same
    }

    /// What the shell has to do before it is known what is shown.
    enum Step: Equatable {
        case none
        /// Read the store, and give the result to `read`.
        case read
        /// What was read is to be shown again: call `present`.
        case present
        /// Look whether what was missing is there, and tell `sought`. The first time it was judged just before.
        case seek(isFirst: Bool)
    }

    /// What becomes of a search for what is missing.
    enum Search: Equatable {
        /// The handle has moved on.
        case dropped
        /// Nothing is missing any more, and it is shown: the subscription ends.
        case ended
        /// It goes on, with a subscription to what is missing, if there is that.
        case going
    }

    /// What a read has found.
    enum Found: Equatable {
        case data
        case nothing
        case failure
    }

    /// What belongs to the result and is not in it.
    private struct Status: Equatable {
        var isFetching = false
        var isMissingData = false
        var errors = 0
    }

    /// Whether it is known what is missing while a failure is shown: that may come from somewhere else.
    private enum Seeking: Equatable {
        case off
        case due
        /// Known since so many changes were counted.
        case done(changes: Int)
    }

    /// What an answer held in `data`.
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
    /// Why the last request brought nothing, until the next one begins.
    private(set) var fetchError: RelayError?
    /// The errors that came with the last answer.
    private(set) var errors: [GraphQLError] = []
    private(set) var reader = ReaderMachine(isOutdated: false)
    private(set) var isMissingData = false
    private var lastRequest = 0
    private var status = Status()
    /// Grows with every change of the errors.
    private var errorChanges = 0
    private var seeking = Seeking.off
    /// The publish that an answer made which was waited for, until it is shown.
    private var arrival: Int?
    /// What was read; nil before the first read of what is to be shown.
    private var found: Found?
    /// Data of what is asked for now was shown.
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

    /// What was read belongs to something else from now on.
    private mutating func turn() {
        reader.turned()
        found = nil
        hasShown = false
    }

    private mutating func note(_ errors: [GraphQLError]) {
        if !errors.isEmpty || !self.errors.isEmpty { errorChanges += 1 }
        self.errors = errors
    }

    /// What follows from the phase. What the store holds is not known here: the next who asks has it read.
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

    /// What the shell has to do, after so many changes, before it is known what is shown.
    func next(at changes: Int) -> Step {
        if isClosed { return .none }
        if seeking != .off, seeking != .done(changes: changes) { return .seek(isFirst: seeking == .due) }
        guard phase == .showing else { return .none }
        if reader.mustRead(at: changes) { return .read }
        let isShown = reader.face == .window && !reader.isOutdated && arrival == nil && status == currentStatus
        return isShown ? .none : .present
    }

    /// The store was read; false if the handle has moved on since `moves` was asked for. `present` comes after it.
    mutating func read(_ found: Found, isMissingData: Bool, since moves: Int, at changes: Int) -> Bool {
        guard phase == .showing, reader.read(since: moves, at: changes) else { return false }
        self.found = found
        self.isMissingData = isMissingData
        return true
    }

    /// Says what to show if that differs from what is shown, or if its status does.
    ///
    /// - Parameter publish: the one that is the reason if what was read `isDifferent`.
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
            // Nothing was read before an arrival, so the store could not tell the handle of the publish that it had
            // waited for.
            shown = .window
            change = reader.show(.window, isDifferent: isDifferent, publish: publish, arrival: arrival)
            arrival = nil
            if found != .failure { hasShown = found == .data }
        }
        let last = status
        status = currentStatus
        // A change of status is a change for those who observe, though the result is the same.
        if let change { return .show(shown, publish: change.publish) }
        return status == last ? nil : .show(.same, publish: nil)
    }

    private var currentStatus: Status {
        let isWindow = reader.face == .window && !reader.isOutdated
        return Status(
            isFetching: request != nil, isMissingData: isWindow && found != nil && isMissingData, errors: errorChanges)
    }

    /// True if what is shown lacks a field.
    var showsMissingData: Bool { status.isMissingData }

    /// Somebody has looked for what was missing, after so many changes.
    mutating func sought(_ availability: Availability, at changes: Int) -> Search {
        guard !isClosed, seeking != .off else { return .dropped }
        if completed(availability) {
            seeking = .off
            return .ended
        }
        seeking = .done(changes: changes)
        return .going
    }

    // MARK: - What the policy says

    /// The first call, or other variables than before: a row of the table.
    ///
    /// - Parameter isFetched: the operation was fetched under the fetch key of the call, and what that brought is
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

    /// The same variables under another fetch key.
    mutating func askAgain(_ availability: Availability, isFetched: Bool) -> [Action] {
        guard isFetched, policy != .storeOnly else { return refetch(availability) }
        if request == nil {
            phase = .showing
            fetchError = nil
        }
        return []
    }

    /// Asks the network again, under every policy but `storeOnly`; what is complete may stay on show.
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

    /// The store was emptied: what was asked for is asked for again, as if for the first time.
    mutating func reset() -> [Action] {
        phase == .idle ? [] : evaluate(.unknown, isFetched: false)
    }

    /// Asks again if the last request failed.
    mutating func retry(_ availability: Availability) -> [Action] {
        guard request == nil, fetchError != nil else { return [] }
        return refetch(availability)
    }

    /// An answer has landed; false if it is not the one that the handle waits for.
    ///
    /// - Parameter availability: how much of the operation the store holds now.
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

    /// A request has failed; false if it is not the one that the handle waits for.
    mutating func failed(_ number: Int, _ error: RelayError, availability: Availability) -> Bool {
        guard number == request else { return false }
        request = nil
        fail(error, availability)
        return true
    }

    /// Something has changed in the store while a failure is shown; true if there is something to show instead now.
    ///
    /// What a first call would show at once counts, and what the policy falls back on. Why the fetch failed stays
    /// known.
    mutating func completed(_ availability: Availability) -> Bool {
        guard mayRecover else { return false }
        guard policy == .networkOrStore ? availability.isComplete : availability.isAvailable else { return false }
        phase = .showing
        return true
    }

    /// A failure is shown that data from somewhere else can end.
    var mayRecover: Bool {
        guard case .failed = phase else { return false }
        return policy != .networkOnly && policy != .storeOnly
    }

    /// Complete data that is shown, or that the policy falls back on, wins over an error.
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
