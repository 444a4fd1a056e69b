/// One request from its start to its end: it takes on waiters, sends, lands payloads, ends, and notifies the waiters.
///
/// `RequestTable.joinOrStart` makes it, and the table keeps it until it ends. The sending task does not keep it, so a
/// network that never ends keeps neither the request nor the environment alive.
///
/// State: guarded by a lock of its own.
final class RequestExecution: Sendable {
    /// Gets the records, and the operation of the response.
    typealias Updater = @Sendable (RecordSourceProxy, BoundOperation) throws -> Void

    private enum Audience {
        /// The current waiters. Others may join.
        case open([Waiter])
        /// Nobody waits any more, and later payloads are ignored.
        case givenUp
        /// All waiters were notified of the end.
        case told
    }

    private struct State: ~Copyable {
        var phase = RequestPhase.waiting
        var audience = Audience.open([])
        /// The fetch keys of all waiters so far.
        var keys = FetchKeys()
        var components: [String] = []
        /// The newest payload of a response in parts, for later waiters.
        var newest: StoredPayload?
        var connection: TransportState?
        var gap = SubscriptionGap()
    }

    let operation: BoundOperation
    let network: NetworkRequest
    /// The version of the store at the start of the request.
    let began: Epoch
    /// The store's generation at the start of the request.
    let generation: Int
    /// The time at the start of the request, on the environment's clock.
    let startTime: Duration
    /// An update that runs on top of the response, in the same publish.
    let updater: Updater?
    /// The layer of the mutation's optimistic change, which is dropped when the response lands.
    let layer: LayerID?
    /// The fetch key at the start of the request.
    let firstKey: FetchKey?
    private let table: RequestTable
    private let state = Guarded(State(), .request)
    /// Cancels the sending task.
    private let canceller = TaskCanceller()
    /// What counts the request.
    private let owner: RequestScope.Owner
    /// Cancels the task that waits for the timeout; nil without a timeout.
    private let timer: TaskCanceller?
    private let whenOver: (@Sendable () -> Void)?
    private let beginsAtOnce: Bool
    /// The places that later parts will fill; nil for an operation without them.
    let arriving: ArrivingPlaces?

    var configuration: RequestConfiguration { network.configuration }
    var services: RequestServices { table.services }

    init(_ call: RequestCall, in table: RequestTable) {
        operation = call.operation
        updater = call.updater
        layer = call.layer
        firstKey = call.key
        whenOver = call.whenOver
        beginsAtOnce = call.beginsAtOnce
        arriving = call.operation.hasIncrements ? ArrivingPlaces() : nil
        self.table = table
        (began, generation) = table.services.store.version
        startTime = table.services.log.now()
        network = call.networkRequest(id: table.nextID())
        owner = RequestScope.Owner(table.services.activity, isSubscription: network.kind == .subscription)
        timer = network.kind == .subscription || call.configuration.timeout == nil ? nil : TaskCanceller()
    }

    // MARK: - Joining and leaving

    /// The result of an attempt to wait.
    enum Admission {
        case waiting
        /// The waiter has already stopped waiting.
        case waiterIsOver
        /// The request is over or was given up.
        case requestIsOver
    }

    /// Adds a waiter.
    func add(_ waiter: Waiter, key: FetchKey?) -> Admission {
        state.withLock { state in
            guard case .open(var waiters) = state.audience else { return .requestIsOver }
            guard waiter.attach(to: self) else { return .waiterIsOver }
            waiters.append(waiter)
            state.audience = .open(waiters)
            if let key { state.keys.keys.append(key) }
            return .waiting
        }
    }

    /// Adds a waiter to a request that has started. The waiter gets the newest payload that has landed.
    func join(_ waiter: Waiter, for call: RequestCall) -> Admission {
        let admission = add(waiter, key: call.key)
        guard case .waiting = admission else { return admission }
        table.noteAsked(self, by: call)
        services.log.emit(.fetchShared(event))
        if let newest { waiter.receive(.landed(newest)) }
        return .waiting
    }

    /// Removes a waiter, and gives the request up if no waiter is left.
    func leave(_ waiter: Waiter) {
        let isGivenUp = state.withLock { state -> Bool in
            guard case .open(var waiters) = state.audience else { return false }
            waiters.removeAll { $0 === waiter }
            state.audience = waiters.isEmpty ? .givenUp : .open(waiters)
            return waiters.isEmpty
        }
        guard isGivenUp else { return }
        canceller.cancel()
        table.remove(self)
        stopArriving()
    }

    /// Gives the request up, even if callers wait, and notifies the waiters.
    func giveUp() {
        table.remove(self)
        let waiters = state.withLock { state -> [Waiter]? in
            guard case .open(let waiters) = state.audience else { return nil }
            state.audience = .givenUp
            return waiters
        }
        guard let waiters else { return }
        canceller.cancel()
        stopArriving()
        for waiter in waiters { waiter.receive(.failed(.cancelled)) }
    }

    /// Cancels the sending task. The request then fails, and its waiters are notified.
    func cancel() { canceller.cancel() }

    // MARK: - Starting

    /// Counts the request, reports it to the log, and sends it. Must be called once.
    func start() {
        let (store, log) = (services.store, services.log)
        owner.requestStarted()
        table.begin(self)
        if network.kind == .query { store.queryBegins(network.id, of: operation) }
        store.operations.retain(operation)
        log.emit(.fetchStarted(event))
        log.compareWithSource(operation.artifact)
        if generation != store.version.generation { giveUp() }
        tellWatchers()
        send()
    }

    private func send() {
        if let refusal = operation.refusal ?? configuration.refusal {
            return canceller.set(Task { end(with: refusal) })
        }
        startTimer()
        let sending = RequestSending(message, of: self, over: services.network, canceller)
        if beginsAtOnce {
            canceller.set(Task.atOnce { [owner] in await sending.run(countedIn: owner) })
        } else {
            canceller.set(Task { [owner] in await sending.run(countedIn: owner) })
        }
    }

    /// Begins to wait for the timeout. The request may be over before it is sent away.
    private func startTimer() {
        guard let timer, let timeout = configuration.timeout else { return }
        let time = BoundedTime.end(of: timeout, from: startTime)
        timer.set(
            Task { [weak self, canceller, sleep = services.sleep] in
                guard (try? await sleep(time)) != nil else { return }
                self?.end(with: .timedOut(after: timeout))
                canceller.cancel()
            })
    }

    /// The request in the form for the network. A network may keep it for longer than the table keeps this object.
    private var message: NetworkRequest {
        guard network.kind == .subscription else { return network }
        return network.reporting { [weak self] in self?.connection(is: $0) }
    }

    /// Notes the state of the connection and notifies the waiters. If the connection is there again, handles that want
    /// it fetch what events may have been missed of.
    private func connection(is connection: TransportState) {
        let (waiters, isRestored) = state.withLock { state -> ([Waiter], Bool) in
            guard case .open(let waiters) = state.audience, state.connection != connection else { return ([], false) }
            state.connection = connection
            return (waiters, state.gap.follow(connection))
        }
        for waiter in waiters { waiter.receive(.connection(connection, isRestored: isRestored)) }
        guard isRestored else { return }
        services.log.emit(.subscriptionRestored(event))
        services.refreshes.note(.reconnected, ifOlderThan: .zero)
    }

    // MARK: - Receiving

    /// Lands a response of the network; returns true if the request is over. Throws `CancellationError` if it was over
    /// before the call.
    func receive(_ response: NetworkResponse) throws -> Bool {
        // Responses to a request that was given up are ignored.
        if Task.isCancelled { throw CancellationError() }
        var payloads: ReceivedPayloads
        let landing = state.withLock { state in
            state.gap.noteEvent()
            return state.phase.beginLanding()
        }
        switch consume landing {
        case .first: payloads = ReceivedPayloads(of: operation, filling: arriving)
        case .later(let received): payloads = received
        case .none: throw CancellationError()
        }
        payloads.count(response)
        guard land(response, &payloads) else {
            state.withLock { $0.phase.close() }
            return true
        }
        // The request may have been given up while the payload landed.
        var received = Optional(payloads)
        if let failure = state.withLock({ $0.phase.endLanding(&received) }) {
            finish(failure)
            return true
        }
        try Task.checkCancellation()
        return false
    }

    /// Lands a response, and ends the request with its last payload. Returns true if other payloads follow.
    private func land(_ response: NetworkResponse, _ payloads: inout ReceivedPayloads) -> Bool {
        do {
            guard let payload = try land(response, &payloads.delivery) else {
                finish(.cancelled)
                return false
            }
            if payload.hasNext { return true }
            finish(nil)
        } catch let error as RelayError.InvalidResponse {
            finish(.invalidResponse(network.credentials.struck(from: error.quoting(response.body))))
        } catch {
            finish(RelayError(wrapping: error))
        }
        return false
    }

    // MARK: - Ending

    /// Ends the request, unless it is over. While a payload lands, the sending task ends the request afterwards.
    func end(with failure: RelayError) {
        if state.withLock({ $0.phase.end(with: failure) }) { finish(failure) }
    }

    /// Ends the request after the network has ended its responses, unless it is over.
    func endAfterLast() {
        // The last payload of a query or mutation has already ended the request.
        guard let failure = state.withLock({ $0.phase.endEarly() }) else { return }
        guard network.kind == .subscription else { return finish(failure) }
        conclude(.completed, errors: [])
        finish(nil)
    }

    /// Notifies the waiters of the last payload, or of the end of a subscription.
    func conclude(_ last: RequestEvent, errors: [GraphQLError]) {
        table.remove(self)
        services.log.emit(
            .fetchFinished(event, errors: errors.isEmpty ? [] : network.credentials.struck(from: errors)))
        tellLast(last)
    }

    /// Notifies the waiters of the last event. Later waiters cannot join.
    private func tellLast(_ event: RequestEvent) {
        let waiters = state.withLock { state -> [Waiter] in
            guard case .open(let waiters) = state.audience else { return [] }
            state.audience = .told
            return waiters
        }
        for waiter in waiters { waiter.receive(event) }
    }

    /// Does the work at the end of each request that has started. With a failure it notifies the waiters.
    private func finish(_ failure: RelayError?) {
        let (store, log) = (services.store, services.log)
        table.remove(self)
        if let layer {
            store.drop(
                [layer], report: log.report(of: .revert(operationName: network.operationName), store.names))
        }
        if let failure {
            if isGivenUp {
                log.emit(.fetchCancelled(event))
            } else {
                services.lastFetches.noteFailure(failure, of: self)
                log.emit(.fetchFailed(event, network.credentials.struck(from: failure)))
                tellLast(.failed(failure))
            }
        }
        close()
        stopArriving()
        tellWatchers()
        store.operations.release(operation)
        table.end(self)
        if network.kind == .query { store.queryEnds(network.id) }
        owner.requestEnded()
        timer?.cancel()
        whenOver?()
    }

    /// Ends the time in which waiters can join.
    private func close() {
        state.withLock { if case .open = $0.audience { $0.audience = .told } }
    }

    private func tellWatchers() {
        for watcher in services.lastFetches.watchers(of: operation) { watcher.requestDidMove() }
    }

    // MARK: - State for others

    /// The newest payload of a response in parts.
    var newest: StoredPayload? { state.withLock { $0.newest } }
    /// Keeps a payload for later waiters.
    func setNewest(_ payload: StoredPayload) { state.withLock { $0.newest = payload } }

    /// True from before the first payload is in the store until the waiters have got the last one.
    var isArriving: Bool { state.withLock { $0.phase.isArriving } }
    /// True if the request was given up.
    var isGivenUp: Bool { state.withLock { if case .givenUp = $0.audience { true } else { false } } }
    /// The current waiters.
    var waiters: [Waiter] { state.withLock { if case .open(let waiters) = $0.audience { waiters } else { [] } } }
    /// The fetch keys of all waiters.
    var keys: FetchKeys { state.withLock { $0.keys } }
    /// The names of the components that have asked for the request, each once, in the order of their first calls.
    var components: [String] { state.withLock { $0.components } }

    /// Notes a component that asks for the request.
    func add(_ component: String) {
        state.withLock { if !$0.components.contains(component) { $0.components.append(component) } }
    }

    /// The request in the form for the log.
    var event: LogEvent.Fetch {
        LogEvent.Fetch(
            request: network.id, operationName: network.operationName, kind: network.kind,
            fetchKey: (firstKey ?? keys.keys.first)?.description, policy: network.policy,
            duration: services.log.now() - startTime)
    }
}
