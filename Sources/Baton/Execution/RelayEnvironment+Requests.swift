extension RelayEnvironment {
    /// Waits for an answer: that of a request in flight for the same operation, or of a new one.
    ///
    /// A request in flight is not shared if it began before an invalidation of what the operation reads. Nothing is started if the operation was fetched under
    /// the key, unless `force` is given; the waiter then hears of the answer at once.
    func start(
        _ waiter: Waiter, for operation: BoundOperation, key: FetchKey?, force: Bool, policy: FetchPolicy
    ) {
        while !waiter.isOver {
            let current = requests[operation]
            if let current, !store.wasInvalidated(operation, since: current.began) {
                switch current.add(waiter, key: key) {
                case .waiting:
                    emit(.fetchShared(event(of: current)))
                    if let answer = current.newest { waiter.receive(.answered(answer)) }
                    return
                case .waiterIsOver: return
                case .requestIsOver:
                    // It has ended meanwhile, and its answer may be the one that is asked for.
                    if requests[operation] !== current { continue }
                }
            }
            if current == nil, !force, let key, isFetched(operation, under: key),
                store.check(operation, at: now()).isAvailable
            {
                let errors = operations.errors(of: operation)
                waiter.receive(
                    .answered(Answer(presence: .object, errors: errors, extensions: nil, bodies: [], hasNext: false)))
                return
            }
            let request = makeRequest(for: operation, policy: policy)
            guard case .waiting = request.add(waiter, key: key) else { return }
            guard requests.replace(current, with: request) else { continue }
            launch(request)
            return
        }
    }

    /// Ends a wait, and with it the request if nobody else waits for it.
    func cancel(_ waiter: Waiter) {
        guard let request = waiter.stop(), request.remove(waiter) else { return }
        requests.remove(request)
    }

    func makeRequest(
        for operation: BoundOperation, updater: Request.Updater? = nil, layer: LayerID? = nil,
        policy: FetchPolicy? = nil
    ) -> Request {
        let (epoch, generation) = store.version
        return Request(
            operation, id: requests.nextID(), began: epoch, generation: generation, startTime: now(), updater: updater,
            layer: layer, policy: policy)
    }

    private func launch(_ request: Request) {
        begin(request)
        request.run(in: Task { await finish(request) })
    }

    /// Gives a request up and tells everybody who waits for it.
    func abandon(_ request: Request) {
        requests.remove(request)
        for waiter in request.abandon() { waiter.receive(.failed(.cancelled)) }
    }

    /// Counts a request and tells the log; `finish` must follow.
    func begin(_ request: Request) {
        activity.requestStarted()
        requests.begin(request)
        if request.network.kind == .query { store.queryBegins(request.network.id) }
        operations.retain(request.operation)
        emit(.fetchStarted(event(of: request)))
        if request.generation != store.version.generation { abandon(request) }
        for watcher in operations.watchers(of: request.operation) { watcher.requestDidMove() }
    }

    /// Carries a request to its end.
    func finish(_ request: Request) async {
        let failure = await carry(request)
        requests.remove(request)
        if let layer = request.layer { drop(layer, of: request.network.operationName) }
        if failure != nil && request.isCancelled {
            emit(.fetchCancelled(event(of: request)))
        } else if let failure {
            operations.noteFailure(failure, for: request.operation, generation: request.generation)
            emit(.fetchFailed(event(of: request), failure))
            conclude(request, with: .failed(failure))
        }
        _ = request.close()
        for watcher in operations.watchers(of: request.operation) { watcher.requestDidMove() }
        operations.release(request.operation)
        requests.end(request)
        if request.network.kind == .query { store.queryEnds(request.network.id) }
        activity.requestEnded()
    }

    /// Sends a request and lands its answers; what went wrong, if something did.
    private func carry(_ request: Request) async -> RelayError? {
        var last: Answer?
        var delivery = IncrementalDelivery(request.operation)
        do {
            let responses = RequestScope.$activity.withValue(activity) { network.responses(to: request.network) }
            for try await response in responses {
                guard let answer = try land(response, for: request, &delivery) else { return .cancelled }
                last = answer
                if !answer.hasNext { return nil }
            }
        } catch {
            return RelayError(wrapping: error)
        }
        if Task.isCancelled { return .cancelled }
        guard let last else { return .noResponse }
        do { try delivery?.finish() } catch { return .invalidResponse(error) }
        // The stream has ended although another answer was announced: what has landed is all there is.
        conclude(request, with: last.asLast)
        return nil
    }

    /// Brings one answer, or a part of one, into the store and tells those who wait; nil if nobody does any more.
    private func land(
        _ response: NetworkResponse, for request: Request, _ delivery: inout IncrementalDelivery?
    ) throws -> Answer? {
        let operation = request.operation
        let fetch = FetchMark(time: now(), began: request.began)
        let staged: StagedResponse
        var (isFirst, hasNext, bodies) = (true, response.hasNext, [response.body])
        if var parts = delivery {
            let payload = try store.normalize(
                response.body, into: &parts, fetch: fetch, generation: request.generation)
            delivery = parts
            staged = payload.response
            (isFirst, hasNext, bodies) = (payload.isFirst, hasNext && !payload.isLast, parts.bodies)
        } else {
            staged = try store.normalize(
                response.body, for: operation, fetch: fetch, generation: request.generation)
        }
        if staged.presence == .absent && staged.errors.isEmpty { throw ResponseError(.notAResponse) }
        if request.isCancelled { return nil }
        let answer = Answer(
            presence: staged.presence, errors: staged.errors, extensions: staged.extensions, bodies: bodies,
            hasNext: hasNext
        )
        if delivery?.hasBegun == false && staged.presence == .object {
            // A part that came before the beginning is of no use to anybody yet.
            if !hasNext { try delivery?.finish() }
            return answer
        }
        if staged.presence == .object {
            guard try publish(staged, for: request, updating: isFirst) else { return nil }
            noteFetch(request, at: fetch.time)
        }
        if delivery != nil && hasNext { request.note(answer) }
        if !hasNext { try delivery?.finish() }
        operations.noteAnswer(staged.errors, for: operation, generation: request.generation)
        if staged.presence != .object && !staged.errors.isEmpty {
            operations.noteFailure(.noData(staged.errors), for: operation, generation: request.generation)
        }
        if answer.hasNext {
            for waiter in request.waiters { waiter.receive(.answered(answer)) }
        } else {
            conclude(request, with: answer)
        }
        return answer
    }

    private func conclude(_ request: Request, with answer: Answer) {
        requests.remove(request)
        emit(.fetchFinished(event(of: request), errors: answer.errors))
        conclude(request, with: .answered(answer))
    }

    /// False if the store was emptied since the request began; nothing of the answer lands then.
    ///
    /// The event comes before anybody is told, so that what observers do about it follows it in the log.
    private func publish(_ staged: StagedResponse, for request: Request, updating: Bool) throws -> Bool {
        let operation = request.operation
        let source = PublishEvent.Source.answer(operationName: operation.artifact.name, request: request.network.id)
        let start = startOfPublish()
        let announce = { summary in self.report(summary, source, since: start) }
        let updater = updating ? request.updater : nil
        guard updater != nil || staged.needsFieldHandlers else {
            return store.publish(
                staged, for: operation, request: request.network.id, dropping: request.layer, announce: announce
            ).isLanded
        }
        do {
            return try store.publish(
                staged, for: operation, request: request.network.id, dropping: request.layer, announce: announce
            ) { try updater?($0) }.isLanded
        } catch {
            emit(.updateFailed(UpdateFailureEvent(source: source, error: error)))
            throw RelayError.updater(error)
        }
    }

    private func noteFetch(_ request: Request, at time: Duration) {
        guard request.network.kind == .query else { return }
        store.noteFetch(
            of: request.operation, key: request.keys, at: time, began: request.began, generation: request.generation)
    }

    private func conclude(_ request: Request, with event: RequestEvent) {
        for waiter in request.close() { waiter.receive(event) }
    }

    private func event(of request: Request) -> FetchEvent {
        FetchEvent(
            request: request.network.id, operationName: request.network.operationName, kind: request.network.kind,
            fetchKey: request.firstKey?.description, policy: request.policy, duration: now() - request.startTime
        )
    }
}
