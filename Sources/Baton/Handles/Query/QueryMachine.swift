/// The decisions of a query handle, which a subscription handle has too: what it shows, what it reads, and what it
/// keeps. A `PolicyMachine` decides about the policy, and a `Reader` knows what was read.
struct QueryMachine: Machine {
    /// The last call with its result; nil if another result may be due. In most frames a `get` needs nothing else, so
    /// it is beside the lock (benchmark `get.unchanged-ns`).
    private(set) var lastCall: (any AnyObject & Sendable)?
    private(set) var fetch: PolicyMachine
    /// The query of the last call; nil before the first one and at the end. Its operation is retained.
    private(set) var requested: (any RequestedQuery)?
    /// How often the store was emptied.
    private(set) var resets = 0
    /// The errors of the last response.
    private(set) var errors: [GraphQLError] = []
    private(set) var reader = Reader(.present)
    private(set) var status = Status()
    /// The state of the connection; nil if no subscription is awaited, or if its transport has not said anything.
    private(set) var connection: TransportState?
    /// How often the connection of a subscription was there again.
    private(set) var restorations = 0
    /// A number that grows with every change of the errors.
    private var errorChanges = 0
    private var search = Search.off
    /// The publish of the awaited payload, until its data is shown.
    private var arrival: Int?
    /// The result of the last read; nil before the first read of the data to show.
    private var found: Found?
    /// True if the last read lacked a field that is on its way in a later part of a response.
    private var isArriving = false
    /// True if such a field is to be reported when it does not come.
    private var isReportDue = false
    private(set) var lastShown = LastShown.nothing
    private(set) var shownBefore: ShownBefore?
    /// Those who wait for the request.
    private var waiting: [Completion] = []
    init(policy: FetchPolicy, renderPolicy: RenderPolicy = .full) {
        fetch = PolicyMachine(policy: policy, renderPolicy: renderPolicy)
    }

    // MARK: - Events

    mutating func handle(_ event: consuming Event) -> Effects {
        var effects = Effects()
        if isClosed {
            refuse(event, &effects)
            return effects
        }
        switch event {
        case .subscribed, .searching:
            // They let nothing go.
            decide(event, &effects)
        default:
            let before = Remains(of: self)
            let reading = reading
            decide(event, &effects)
            if reading !== self.reading { lastCall = nil }
            if before.differs(from: self) { effects.append(.caller(.discard(before))) }
        }
        return effects
    }

    private mutating func decide(_ event: consuming Event, _ effects: inout Effects) {
        switch consume event {
        case .asked(let ask):
            if requested !== ask.last { return refuse(ask, &effects) }
            inquire(.asked(ask), ask.query.operation, &effects)
        case .refetched(let completion): fetchAgain(.refetched(completion), &effects)
        case .retried(let completion): fetchAgain(.retried(completion), &effects)
        case .refreshed(let operation, let cause): refresh(operation, because: cause, &effects)
        case .cancelled:
            if let requested { inquire(.cancelled, requested.operation, &effects) }
        case .skipped: skip(&effects)
        case .emptied(let asksAgain): empty(asksAgain: asksAgain, &effects)
        case .closed: close(&effects)
        case .remembered(let call, let requested, let reading, let changes):
            if self.requested === requested, shows(reading, at: changes) { lastCall = call }
        case .landed(let number, let payload): land(number, payload, &effects)
        case .failed(let number, let error):
            guard number == request, let requested else { return }
            inquire(.failed(number, error), requested.operation, &effects)
        case .completed(let number):
            guard number == request else { return }
            move(.completed(number), &effects)
            finish(number, &effects)
            followPhase(&effects)
        case .connected(let number, let connection, let isRestored):
            guard number == request else { return }
            effects.append(.caller(.show(after: reading)))
            self.connection = connection
            if isRestored { restorations += 1 }
            followPhase(&effects)
        case .known(let facts, let inquiry): know(facts, inquiry, &effects)
        case .looked(let changes, let publish):
            if case .unknown(.nothing) = look(at: changes) { present(isDifferent: false, publish: publish) }
        case .read(let read, let task, let publish): take(read, task, publish, &effects)
        case .subscribed(let id, let hasChanged):
            reader.subscribed(id)
            if hasChanged { effects.append(.caller(.mark)) }
        case .sought(let gap, let availability, let task, let publish):
            seek(gap, availability, task, publish, &effects)
        case .searching(let id, let changes, let hasChanged):
            search = .done(changes: changes, id)
            if hasChanged { effects.append(.caller(.mark)) }
        }
    }

    // MARK: - What must be known

    private func inquire(_ cause: Inquiry.Cause, _ operation: BoundOperation, _ effects: inout Effects) {
        effects.append(
            .caller(.inquire(Inquiry(cause: cause, operation: operation, requested: requested, resets: resets))))
    }

    /// Fetches again once it is known what is there, if the policy wants to know.
    private mutating func fetchAgain(_ cause: Inquiry.Cause, _ effects: inout Effects) {
        guard let requested, fetch.policy.looksIntoStore else { return fetchAgain(cause, .unknown, &effects) }
        inquire(cause, requested.operation, &effects)
    }

    private mutating func know(_ facts: Inquiry.Facts, _ inquiry: Inquiry, _ effects: inout Effects) {
        let isOld = requested !== inquiry.requested || resets != inquiry.resets
        switch inquiry.cause {
        case .asked(let ask):
            if requested === ask.last, resets == inquiry.resets {
                self.ask(ask, facts, &effects)
            } else {
                refuse(ask, &effects)
            }
        case .refetched, .retried:
            if isOld { return fetchAgain(inquiry.cause, &effects) }
            fetchAgain(inquiry.cause, facts.availability, &effects)
        case .cancelled:
            guard requested?.operation === inquiry.operation else { return }
            let wasAwaited = request != nil
            move(.cancelled(facts.availability), &effects)
            guard wasAwaited else { return }
            errorChanges += 1
            resume(&effects)
            followPhase(&effects)
        case .landed(let number, let payload): show(number, payload, facts.availability, &effects)
        case .failed(let number, let error):
            guard number == request else { return }
            move(.failed(number, error, facts.availability), &effects)
            errorChanges += 1
            finish(number, &effects)
            followPhase(&effects)
        }
    }

    // MARK: - Calls of the handle

    private mutating func ask(_ ask: Inquiry.Ask, _ facts: Inquiry.Facts, _ effects: inout Effects) {
        switch ask.novelty {
        case .fetchKey:
            requested = ask.query
            let event = PolicyMachine.Event.fetchKeyChanged(facts.availability, isFetched: facts.isFetched)
            move(event, &effects, sharing: .underKey, preloaded: ask.preloaded)
        case .operation:
            leave(&effects)
            requested = ask.query
            forgetRead(&effects)
            setErrors(facts.errors)
            let wasAwaited = request != nil
            let event = PolicyMachine.Event.variablesChanged(
                facts.availability, isFetched: facts.isFetched, mayShowStale: facts.mayShowStale)
            move(event, &effects, preloaded: ask.preloaded)
            if wasAwaited, request == nil { resume(&effects) }
        }
        followPhase(&effects)
    }

    private mutating func fetchAgain(
        _ cause: Inquiry.Cause, _ availability: Coverage, _ effects: inout Effects
    ) {
        let former = request
        switch cause {
        case .refetched(let completion):
            move(.refetched(availability), &effects, sharing: .inFlight)
            wait(completion, unless: former, &effects)
        case .retried(let completion):
            move(.retried(availability), &effects, sharing: .inFlight)
            wait(completion, unless: former, &effects)
        case .asked, .cancelled, .landed, .failed: break
        }
        followPhase(&effects)
    }

    /// Has a caller wait for the request that was begun, if another one is under way than before.
    private mutating func wait(_ completion: Completion, unless former: Int?, _ effects: inout Effects) {
        if let request, request != former {
            waiting.append(completion)
        } else {
            effects.append(.queue(.resume(completion, nil)))
        }
    }

    private mutating func refresh(
        _ operation: BoundOperation?, because cause: LogEvent.Refresh.Cause?, _ effects: inout Effects
    ) {
        guard let requested, operation == nil || requested.operation === operation else { return }
        let former = request
        var moved = Effects()
        move(.refreshed, &moved, sharing: .inFlight)
        if let cause, request != former { effects.append(.queue(.log(cause, requested.operation))) }
        effects += moved
        followPhase(&effects)
    }

    private mutating func skip(_ effects: inout Effects) {
        guard requested != nil else { return }
        leave(&effects)
        requested = nil
        forgetRead(&effects)
        setErrors([])
        move(.skipped, &effects)
        resume(&effects)
        followPhase(&effects)
    }

    private mutating func empty(asksAgain: Bool, _ effects: inout Effects) {
        resets += 1
        forgetRead(&effects)
        forgetShownBefore(&effects)
        lastShown = .nothing
        resume(&effects)
        setErrors([])
        let error = fetch.fetchError
        move(.emptied(asksAgain: asksAgain), &effects)
        if error != fetch.fetchError { errorChanges += 1 }
        followPhase(&effects)
    }

    private mutating func close(_ effects: inout Effects) {
        move(.closed, &effects)
        if let requested { effects.append(.queue(.release(requested.operation))) }
        requested = nil
        if let subscription = reader.close() { effects.append(.inLock(.unsubscribe(subscription))) }
        forgetShownBefore(&effects)
        lastShown = .nothing
        endSearch(&effects)
        resume(&effects)
    }

    /// Leaves the requested query. If its data was shown, it is kept instead of what was kept before.
    private mutating func leave(_ effects: inout Effects) {
        if let requested {
            if case .data(let row) = lastShown {
                forgetShownBefore(&effects)
                shownBefore = ShownBefore(operation: requested.operation, data: row)
            } else {
                effects.append(.queue(.release(requested.operation)))
            }
        }
        lastShown = .nothing
    }

    private mutating func forgetShownBefore(_ effects: inout Effects) {
        if let shownBefore { effects.append(.queue(.release(shownBefore.operation))) }
        shownBefore = nil
    }

    /// Notes that the last read belongs to another requested query.
    private mutating func forgetRead(_ effects: inout Effects) {
        reader.targetChanged()
        (found, isArriving, isReportDue) = (nil, false, false)
        arrival = nil
        if let subscription = reader.forget() { effects.append(.inLock(.clear(subscription))) }
    }

    // MARK: - News of requests

    private mutating func land(_ number: Int, _ payload: StoredPayload, _ effects: inout Effects) {
        if let event = payload.event { follow(event, number, &effects) }
        guard number == request, let requested else { return }
        if payload.presence == .object {
            // The data of a response whose beginning has arrived may be shown without the later parts.
            show(number, payload, .available(fetchedAt: nil), &effects)
        } else {
            inquire(.landed(number, payload), requested.operation, &effects)
        }
    }

    /// Requests the operation of a subscription's newest event instead of the one before.
    private mutating func follow(_ event: BoundOperation, _ number: Int, _ effects: inout Effects) {
        guard number == request, let former = requested, former.operation !== event else {
            return effects.append(.queue(.release(event)))
        }
        effects.append(.queue(.release(former.operation)))
        requested = former.following(event)
        reader.targetChanged()
        (found, isArriving, isReportDue) = (nil, false, false)
        if let subscription = reader.forget() { effects.append(.inLock(.clear(subscription))) }
    }

    private mutating func show(
        _ number: Int, _ payload: StoredPayload, _ availability: Coverage, _ effects: inout Effects
    ) {
        guard number == request else { return }
        let hadError = fetch.fetchError != nil
        let content: PolicyMachine.Content = payload.presence == .object ? .object : .null
        move(.landed(number, content, errors: payload.errors, availability, hasNext: payload.hasNext), &effects)
        setErrors(payload.errors)
        arrival = payload.epoch.map { Int(truncatingIfNeeded: $0) }
        if hadError || fetch.fetchError != nil { errorChanges += 1 }
        if request == nil { finish(number, &effects) }
        followPhase(&effects)
    }

    /// Passes an event to the policy. What is shown afterwards is known before requests are started.
    private mutating func move(
        _ event: PolicyMachine.Event, _ effects: inout Effects, sharing: Start.Sharing = .any,
        preloaded: (any Preloaded)? = nil
    ) {
        lastCall = nil
        effects.append(.caller(.show(after: reading)))
        for effect in fetch.handle(event) {
            switch effect {
            case .abandon(let number): effects.append(.queue(.abandon(number)))
            case .start(let number):
                guard let requested else { continue }
                effects.append(
                    .queue(.start(Start(number: number, query: requested, sharing: sharing, preloaded: preloaded))))
            }
        }
    }

    private mutating func finish(_ number: Int, _ effects: inout Effects) {
        effects.append(.queue(.finish(number)))
        resume(with: fetch.fetchError, &effects)
    }

    /// Ends the wait of all callers, which is `cancelled` unless a response or its failure has come.
    private mutating func resume(with error: RelayError? = .cancelled, _ effects: inout Effects) {
        for completion in waiting { effects.append(.queue(.resume(completion, error))) }
        waiting = []
    }

    private mutating func setErrors(_ errors: [GraphQLError]) {
        if !errors.isEmpty || !self.errors.isEmpty { errorChanges += 1 }
        self.errors = errors
    }

    /// Does what follows from the phase. The store is not read here; the next look asks for a read.
    private mutating func followPhase(_ effects: inout Effects) {
        if request == nil { connection = nil }
        if !fetch.mayRecover { endSearch(&effects) } else if case .off = search { search = .due }
        if !fetch.isShowing { present(isDifferent: false, publish: nil) }
    }

    private mutating func endSearch(_ effects: inout Effects) {
        if case .done(_, let subscription?) = search { effects.append(.inLock(.unsubscribe(subscription))) }
        search = .off
    }

    // MARK: - Reading

    /// Takes the result of a read, unless the handle has moved on meanwhile.
    private mutating func take(
        _ read: Read, _ task: ReadTask<Target>, _ publish: Int, _ effects: inout Effects
    ) {
        guard requested === task.target, fetch.isShowing, reader.accept(since: task.moves, at: task.changes) else {
            return
        }
        effects.append(.inLock(.subscribe(read.result, replacing: reader.subscription)))
        isReportDue = read.result.isMissingData && (isReportDue || read.isDifferent)
        if read.isArriving {
            effects.append(.caller(.confirmArriving(task.target)))
        } else if isReportDue {
            isReportDue = false
            effects.append(.caller(.reportMissing(task.target)))
        }
        (found, isArriving) = (read.found, read.isArriving)
        reader.take(read.result)
        present(isDifferent: read.isDifferent, publish: publish)
    }

    /// Shows the present state, if it or the status has changed.
    ///
    /// - Parameter publish: The publish that caused the change, if the data that was read `isDifferent`.
    private mutating func present(isDifferent: Bool, publish: Int?) {
        let isNew: Bool
        switch fetch.phase {
        case .failed(let error):
            isNew = show(.failure(errorChanges), .failure(error))
        case .showingNull: isNew = show(.null, .data(nil))
        case .idle, .loading: isNew = show(.loading, .loading)
        case .showing where isAwaitingParts: isNew = show(.loading, .loading)
        case .showing:
            let result = reader.result
            // The data was not read before the awaited payload, so no subscription could have reported its publish.
            isNew = reader.show(
                .data, isDifferent: isDifferent, publish: publish, arrival: arrival, result?.content ?? .data(nil))
            arrival = nil
            if found != .failure { lastShown = found == .data ? .data(result?.row) : .incomplete(result?.row) }
        }
        let last = status
        status = currentStatus
        // A change of the status is delivered to observers, though the result is the same.
        if !isNew, status != last { reader.showStatus() }
    }

    private mutating func show(_ shown: Reader.Shown, _ content: @autoclosure () -> Reading.Content) -> Bool {
        reader.show(shown, isDifferent: false, publish: nil, arrival: nil, content())
    }

    /// Takes the result of a search for missing data.
    private mutating func seek(
        _ gap: Dependencies?, _ availability: Coverage, _ task: SearchTask, _ publish: Int,
        _ effects: inout Effects
    ) {
        if case .off = search { return }
        guard requested === task.requested else { return }
        _ = fetch.handle(.dataChanged(availability))
        if fetch.isShowing {
            lastCall = nil
            // The publish that has told of the data.
            if task.turn == .later { arrival = publish }
            return endSearch(&effects)
        }
        var subscription: SubscriptionID?
        if case .done(_, let known) = search { subscription = known }
        if let gap {
            search = .done(changes: task.changes, subscription)
            effects.append(.inLock(.subscribeSearch(gap, replacing: subscription, changes: task.changes)))
        } else {
            // The data is complete but not valid, so the failure stays.
            endSearch(&effects)
            search = .done(changes: task.changes, nil)
        }
    }

    // MARK: - Queries

    /// Looks for the newest reading after `changes` changes.
    ///
    /// - Parameter begin: The count of changes before the call, if it has read already. A result that is too large to
    ///   be read is shown then.
    func look(at changes: Int, since begin: Int? = nil) -> Look<Question> {
        guard !isClosed, let requested else { return .shown(reading) }
        switch search {
        case .due: return .unknown(.search(SearchTask(requested: requested, turn: .first, changes: changes)))
        case .done(let last, _) where last != changes:
            return .unknown(.search(SearchTask(requested: requested, turn: .later, changes: changes)))
        case .done, .off: break
        }
        guard fetch.isShowing else { return .shown(reading) }
        if reader.mustRead(at: changes) {
            if let begin, reader.isTooLarge(since: begin) { return .shown(reading) }
            return .unknown(.read(ReadTask(requested, of: reader, at: changes)))
        }
        let isShown = isAwaitingParts ? reader.shown == .loading : reader.shown == .data && arrival == nil
        return isShown && reader.subject == .present && status == currentStatus ? .shown(reading) : .unknown(.nothing)
    }

    /// True if a reading is on show, and is the newest after `changes` changes.
    private func shows(_ reading: Reading, at changes: Int) -> Bool {
        if case .shown(let shown) = look(at: changes) { shown === reading } else { false }
    }

    /// True if the parts that are there are nothing to show yet.
    private var isAwaitingParts: Bool {
        if isArriving, found == .nothing || found == .failure { return true }
        guard fetch.showsParts, request != nil else { return false }
        return found == .nothing || found == .failure && reader.result?.isMissingData == true
    }

    private var currentStatus: Status {
        let isData = reader.shown == .data && reader.subject == .present
        return Status(
            isFetching: request != nil,
            isMissingData: isData && found != nil && reader.result?.isMissingData == true, errors: errorChanges,
            connection: connection)
    }
}
