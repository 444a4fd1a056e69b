extension RelayEnvironment {
    /// Waits for an answer: that of a request in flight for the same operation, or that of a new request.
    ///
    /// A request in flight is not shared if it began before an invalidation of data that the operation reads, or if it
    /// has another configuration. With `changesKey` it is also not shared if it began under another key. Without
    /// `force` no request starts if the operation was fetched under the key; the waiter then gets the answer at once.
    /// Subscriptions are never shared, because each call has an operation of its own.
    ///
    /// For an operation with nothing but client fields no request starts either.
    func start(_ waiter: Waiter, for call: RequestCall, force: Bool, changesKey: Bool = false) {
        let (operation, key) = (call.operation, call.key)
        guard operation.artifact.isSent else {
            waiter.receive(
                .answered(
                    Answer(presence: .object, errors: [], extensions: nil, bodies: PayloadBodies(), hasNext: false)))
            return
        }
        while !waiter.isOver {
            let current = requests[operation]
            if let current, !(changesKey && current.firstKey != key), current.configuration == call.configuration,
                !store.wasInvalidated(operation, since: current.began)
            {
                switch current.add(waiter, key: key) {
                case .waiting:
                    requests.note(current, askedBy: call.component ?? operation.artifact.name)
                    emit(.fetchShared(event(of: current)))
                    if let answer = current.newest { waiter.receive(.answered(answer)) }
                    return
                case .waiterIsOver: return
                case .requestIsOver:
                    // The request has ended meanwhile, and its answer may be the wanted one.
                    if requests[operation] !== current { continue }
                }
            }
            if current == nil, !force, let key, isFetched(operation, under: key, store.check(operation, at: now())) {
                let errors = outcomes.errors(of: operation)
                waiter.receive(
                    .answered(
                        Answer(
                            presence: .object, errors: errors, extensions: nil, bodies: PayloadBodies(), hasNext: false)
                    ))
                return
            }
            if current == nil, !force, let preloaded = call.preloaded, join(preloaded, waiter, for: operation) {
                return
            }
            let request = makeRequest(call)
            guard case .waiting = request.add(waiter, key: key) else { return }
            guard requests.replace(current, with: request) else { continue }
            requests.note(request, askedBy: call.component ?? operation.artifact.name)
            launch(request)
            return
        }
    }

    /// Waits for the answer of a preload that is landing at this moment, or takes one that has just landed. Returns
    /// false if neither is there.
    private func join(_ preloaded: any Preloaded, _ waiter: Waiter, for operation: BoundOperation) -> Bool {
        if preloaded.follow(operation, waiter) { return true }
        guard preloaded.isFetched(operation) else { return false }
        let availability = store.check(operation, at: now())
        guard availability.isComplete, availability != .stale else { return false }
        let errors = outcomes.errors(of: operation)
        waiter.receive(
            .answered(
                Answer(presence: .object, errors: errors, extensions: nil, bodies: PayloadBodies(), hasNext: false)))
        return true
    }

    /// Ends a wait, and also the request if nobody else waits for it.
    func cancel(_ waiter: Waiter) {
        guard let request = waiter.stop(), request.remove(waiter) else { return }
        requests.remove(request)
    }

    func makeRequest(_ call: RequestCall) -> Request {
        let (epoch, generation) = store.version
        return Request(call, id: requests.nextID(), began: epoch, generation: generation, startTime: now())
    }

    private func launch(_ request: Request) {
        begin(request)
        send(request)
    }

    /// Sends a request that has begun, in a task of its own.
    @discardableResult
    func send(_ request: Request, whenOver: (@Sendable () -> Void)? = nil) -> Task<Void, Never> {
        let message = request.message
        let timeout = message.kind == .subscription ? nil : request.configuration.timeout
        let timer = timeout.map { _ in TaskCanceller() }
        let passage = Passage(Landing(of: request, in: self, timer: timer, whenOver: whenOver))
        // The task holds neither the request nor the environment, so a network that never ends keeps neither alive.
        let task =
            if let refusal = request.refusal {
                Task { passage.end(with: refusal) }
            } else {
                passage.send(message, over: network, countedIn: activity)
            }
        request.run(in: task)
        if let timeout, let timer {
            let end = BoundedTime.end(of: timeout, from: request.startTime)
            timer.set(
                Task { [sleep] in
                    guard (try? await sleep(end)) != nil else { return }
                    passage.end(with: .timedOut(after: timeout))
                    task.cancel()
                })
        }
        return task
    }

    /// Gives a request up and notifies its waiters.
    func abandon(_ request: Request) {
        requests.remove(request)
        for waiter in request.abandon() { waiter.receive(.failed(.cancelled)) }
    }

    /// Counts a request and reports it to the log; `send` must follow.
    func begin(_ request: Request) {
        activity.requestStarted()
        requests.begin(request)
        if request.network.kind == .query { store.queryBegins(request.network.id, of: request.operation) }
        operations.retain(request.operation)
        emit(.fetchStarted(event(of: request)))
        compareWithSource(request.operation.artifact)
        if request.generation != store.version.generation { abandon(request) }
        for watcher in outcomes.watchers(of: request.operation) { watcher.requestDidMove() }
    }

    /// Ends a request with a failure or after its last answer. Must be called once for each request that has begun.
    func end(_ request: Request, with failure: RelayError?) {
        requests.remove(request)
        if let layer = request.layer { drop(layer, of: request.network.operationName) }
        if failure != nil && request.isCancelled {
            emit(.fetchCancelled(event(of: request)))
        } else if let failure {
            outcomes.noteFailure(failure, of: request)
            emit(.fetchFailed(event(of: request), failure))
            conclude(request, with: .failed(failure))
        }
        _ = request.close()
        for watcher in outcomes.watchers(of: request.operation) { watcher.requestDidMove() }
        operations.release(request.operation)
        requests.end(request)
        if request.network.kind == .query { store.queryEnds(request.network.id) }
        activity.requestEnded()
    }

    /// Writes one answer, or a part of one, into the store and notifies the waiters. Returns nil if nothing waits any
    /// more.
    ///
    /// Observers of handles are told after that, in this order: those of the handles that wait, then those of the
    /// handles that read what has changed.
    func land(
        _ response: NetworkResponse, for request: Request, _ delivery: inout IncrementalDelivery?
    ) throws -> Answer? {
        // Each event has a root of its own, which this method retains until its waiters do.
        let isEvent = request.network.kind == .subscription
        let event =
            isEvent ? store.bind(request.operation.artifact, variables: request.operation.variables) : nil
        if let event { operations.retain(event) }
        defer { if let event { operations.release(event) } }
        var operation = event ?? request.operation
        let fetch = FetchMark(time: now(), began: request.began)
        let staged: StagedResponse
        var (isFirst, hasNext, bodies) = (true, response.hasNext, PayloadBodies([response.body]))
        // The delivery is taken out, so that it changes in place. If it fails, the request ends.
        if var parts = delivery.take() {
            parts.nextEvent = event
            let payload = try store.normalize(
                response.body, into: &parts, fetch: fetch, generation: request.generation,
                isLast: !response.hasNext)
            delivery = parts
            staged = payload.response
            // A later part belongs to the event before it.
            operation = parts.operation
            // The last part of an event is not the end of its subscription.
            (isFirst, hasNext, bodies) = (payload.isFirst, hasNext && (isEvent || !payload.isLast), parts.bodies)
        } else {
            staged = try store.normalize(
                response.body, for: operation, fetch: fetch, generation: request.generation)
        }
        let normalizing = isLogging ? now() - fetch.time : nil
        report(staged.irregularities, of: operation, request: request.network.id)
        if staged.presence == .absent && staged.errors.isEmpty { throw RelayError.InvalidResponse(.notAResponse) }
        if request.configuration.errorPolicy == .failure, !staged.errors.isEmpty {
            throw RelayError.hasErrors(staged.errors)
        }
        if request.isCancelled { return nil }
        var answer = Answer(
            presence: staged.presence, errors: staged.errors, extensions: staged.extensions, bodies: bodies,
            hasNext: hasNext
        )
        if delivery?.hasBegun == false && staged.presence == .object {
            // A part that came before the beginning is of no use yet.
            if !hasNext { try delivery?.finish() }
            return answer
        }
        // Everybody is told at once: those who wait for the answer, and those who read what it changes.
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        if staged.presence == .object {
            for waiter in request.waiters { waiter.receive(.landing) }
            guard let epoch = try publish(staged, operation, for: request, updating: isFirst, normalizing)
            else { return nil }
            answer.epoch = epoch
            if isEvent { answer.event = operation }
            noteFetch(request, at: fetch.time, isLast: !hasNext)
        }
        if delivery != nil && hasNext { request.setNewest(answer) }
        if !hasNext { try delivery?.finish() }
        outcomes.noteAnswer(staged.errors, of: request)
        if staged.presence != .object && !staged.errors.isEmpty {
            outcomes.noteFailure(.noData(staged.errors), of: request)
        }
        if answer.hasNext {
            for waiter in request.waiters { waiter.receive(.answered(answer)) }
        } else {
            conclude(request, with: answer)
        }
        return answer
    }

    /// Notifies the waiters of the end of a subscription's stream.
    func complete(_ request: Request) {
        requests.remove(request)
        emit(.fetchFinished(event(of: request), errors: []))
        conclude(request, with: .completed)
    }

    /// Notifies the waiters of the last answer.
    func conclude(_ request: Request, with answer: Answer) {
        requests.remove(request)
        emit(.fetchFinished(event(of: request), errors: answer.errors))
        conclude(request, with: .answered(answer))
    }

    /// Publishes an answer and returns the version that it made. Returns nil if the store was emptied since the request
    /// began, so that nothing landed.
    ///
    /// The log event comes before any notification, so that the reactions of observers follow it in the log.
    private func publish(
        _ staged: StagedResponse, _ operation: BoundOperation, for request: Request, updating: Bool,
        _ normalizing: Duration?
    ) throws -> Epoch? {
        let source = LogEvent.Publish.Source.answer(operationName: operation.artifact.name, request: request.network.id)
        let start = startOfPublish()
        let announce = { summary in self.report(summary, source, since: start, normalizing: normalizing) }
        let updater = updating ? request.updater : nil
        guard updater != nil || staged.needsUpdate else {
            let summary = store.publish(
                staged, for: operation, request: request.network.id, dropping: request.layer, announce: announce)
            return summary.isLanded ? summary.epoch : nil
        }
        do {
            let summary = try store.publish(
                staged, for: operation, request: request.network.id, dropping: request.layer, announce: announce
            ) { try updater?($0, operation) }
            return summary.isLanded ? summary.epoch : nil
        } catch let unreadable as UnreadableAnswer {
            throw unreadable.error
        } catch {
            emit(.updateFailed(LogEvent.UpdateFailure(source: source, error: error)))
            throw RelayError.updater(error)
        }
    }

    private func noteFetch(_ request: Request, at time: Duration, isLast: Bool) {
        guard request.network.kind == .query else { return }
        let keys = request.keys
        let isIncomplete = isLast && !keys.keys.isEmpty && store.gap(of: request.operation) != nil
        store.noteFetch(
            of: request.operation, key: keys, at: time, began: request.began, generation: request.generation,
            request: request.network.id, isIncomplete: isIncomplete)
    }

    private func conclude(_ request: Request, with event: RequestEvent) {
        for waiter in request.close() { waiter.receive(event) }
    }

    private func event(of request: Request) -> LogEvent.Fetch {
        LogEvent.Fetch(
            request: request.network.id, operationName: request.network.operationName, kind: request.network.kind,
            fetchKey: (request.firstKey ?? request.keys.keys.first)?.description, policy: request.policy,
            duration: now() - request.startTime
        )
    }
}
