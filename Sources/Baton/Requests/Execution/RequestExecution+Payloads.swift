extension RequestExecution {
    /// Writes a payload into the store and notifies the waiters. Returns nil if nobody waits any more.
    ///
    /// Observers of handles are notified after that: first the observers of waiting handles, then the observers of
    /// handles that have read changed data.
    func land(_ response: NetworkResponse, _ delivery: inout IncrementalDelivery?) throws -> StoredPayload? {
        let (store, log, deliveries) = (services.store, services.log, services.deliveries)
        // Each event has a root of its own, which this method retains until the waiters do.
        let isEvent = network.kind == .subscription
        let event =
            isEvent ? store.bind(operation.artifact, variables: operation.variables, retaining: true) : nil
        defer { if let event { store.operations.release(event) } }
        var operation = event ?? self.operation
        let fetch = FetchMark(time: log.now(), began: began)
        let staged: StagedResponse
        var (isFirst, hasNext, bodies) = (true, response.hasNext, PayloadBodies([response.body]))
        // The delivery is moved out, so that it changes in place. If it fails, the request ends.
        if var parts = delivery.take() {
            parts.nextEvent = event
            let payload = try store.normalize(
                response.body, into: &parts, fetch: fetch, generation: generation, isLast: !response.hasNext)
            delivery = parts
            staged = payload.response
            // A later part belongs to the event before it.
            operation = parts.operation
            // The last part of an event is not the end of its subscription.
            (isFirst, hasNext, bodies) = (payload.isFirst, hasNext && (isEvent || !payload.isLast), parts.bodies)
        } else {
            staged = try store.normalize(response.body, for: operation, fetch: fetch, generation: generation)
        }
        let normalizing = log.isLogging ? log.now() - fetch.time : nil
        if !staged.irregularities.isEmpty { log.report(staged.irregularities, of: operation, network) }
        if staged.presence == .absent && staged.errors.isEmpty { throw RelayError.InvalidResponse(.notAResponse) }
        if configuration.errorPolicy == .failure, !staged.errors.isEmpty {
            throw RelayError.hasErrors(staged.errors)
        }
        // Readers know what is still under way before they can see that it is missing.
        if let arriving, !arriving.isEmpty { store.arrivals.add(arriving) }
        if isGivenUp { return nil }
        var payload = StoredPayload(
            presence: staged.presence, errors: staged.errors, extensions: staged.extensions, bodies: bodies,
            hasNext: hasNext)
        let unfinished = hasNext ? nil : delivery?.unfinished
        if delivery?.hasBegun == false && staged.presence == .object {
            // A part that came before the beginning cannot be read yet.
            if let unfinished { throw unfinished }
            return payload
        }
        let isOfParts = delivery != nil
        let tell = { [self] (payload: StoredPayload) in
            let filled = settleArrivals()
            for subscriber in filled { subscriber.mark(at: store.epoch) }
            if isOfParts && payload.hasNext { setNewest(payload) }
            if unfinished == nil { tellWaiters(of: payload, staged) }
            for subscriber in filled { subscriber.tell(at: store.epoch) }
        }
        // Observers are notified together: those that wait for the payload, and those that have read changed data.
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        if staged.presence == .object {
            let known = keys
            let note = fetchNote(of: fetch.time, known, isLast: !hasNext)
            let hasLanded = try publish(staged, operation, updating: isFirst, normalizing) { [self] epoch, data in
                if let note { store.note(note, of: operation, staged.generation) }
                // Callers may have joined under other keys while the response landed.
                let all = keys
                if all.keys.count > known.keys.count, let note = fetchNote(of: fetch.time, all, isLast: !hasNext) {
                    store.note(note, of: operation, generation)
                }
                (payload.epoch, payload.data) = (epoch, data)
                if isEvent { payload.event = operation }
                tell(payload)
            }
            guard hasLanded else { return nil }
        } else {
            tell(payload)
        }
        if let unfinished { throw unfinished }
        return payload
    }

    /// Notifies the waiters of a payload that is in the store.
    private func tellWaiters(of payload: StoredPayload, _ staged: StagedResponse) {
        noteResult(staged)
        if payload.hasNext {
            for waiter in waiters { waiter.receive(.landed(payload)) }
        } else {
            conclude(.landed(payload), errors: payload.errors)
        }
    }

    /// Takes back the places that the payload has filled. Returns the readers that lacked something there.
    private func settleArrivals() -> [any StoreSubscriber] {
        guard let arriving else { return [] }
        let store = services.store
        let changes = arriving.settle(in: store.records)
        if arriving.isEmpty { store.arrivals.remove(arriving) }
        return store.subscriptions.affected(by: changes).subscribers
    }

    /// Takes back all places that later parts would have filled, because no more parts land.
    func stopArriving() {
        guard let arriving else { return }
        let store = services.store
        store.arrivals.remove(arriving)
        let changes = arriving.stop(in: store.records)
        for subscriber in store.subscriptions.affected(by: changes).subscribers {
            subscriber.storeDidChange(at: store.epoch)
        }
    }

    /// Publishes a payload. `waiters` gets the version that it made, and the data if the payload has deleted records of
    /// its own. Returns false if nothing landed, because the store was emptied after the request started.
    private func publish(
        _ staged: StagedResponse, _ operation: BoundOperation, updating: Bool, _ normalizing: Duration?,
        waiters: @escaping (Epoch, RowResult?) -> Void
    ) throws -> Bool {
        let (store, log) = (services.store, services.log)
        let source = LogEvent.Publish.Source.response(operationName: operation.artifact.name, request: network.id)
        let report = log.report(of: source, store.names, normalizing: normalizing)
        let updater = updating ? updater : nil
        guard updater != nil || staged.needsUpdate else {
            let summary = store.publish(
                staged, for: operation, request: network.id, dropping: layer, report: report,
                waiters: { summary in waiters(summary.epoch, nil) })
            return summary.isLanded
        }
        do {
            var data: RowResult?
            let summary = try store.publish(
                staged, for: operation, request: network.id, dropping: layer, report: report,
                waiters: { summary in waiters(summary.epoch, data) },
                updating: { source in
                    try updater?(source, operation)
                    data = source.readUndeleted(operation)
                })
            return summary.isLanded
        } catch let unreadable as UnreadableResponse {
            throw unreadable.error
        } catch {
            log.emit(.updateFailed(LogEvent.UpdateFailure(source: source, error: error)))
            throw RelayError.updater(error)
        }
    }

    /// Returns what the store has to note of a query's fetch when its response lands.
    private func fetchNote(of time: Duration, _ keys: FetchKeys, isLast: Bool) -> FetchNote? {
        guard network.kind == .query else { return nil }
        return FetchNote(
            record: FetchRecord(key: keys, time: time, epoch: began, request: network.id),
            looksForMissing: isLast && !keys.keys.isEmpty)
    }

    /// Notes the errors of a payload for later reads of the operation's data.
    private func noteResult(_ staged: StagedResponse) {
        services.lastFetches.noteErrors(staged.errors, of: self)
        if staged.presence != .object && !staged.errors.isEmpty {
            services.lastFetches.noteFailure(.noData(staged.errors), of: self)
        }
    }
}
