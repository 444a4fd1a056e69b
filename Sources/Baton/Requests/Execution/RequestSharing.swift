/// Decides whether a caller needs a request of its own. Otherwise a request in flight, data that was fetched before, or
/// a preload serves the caller.
///
/// Each reason has a function. `RequestTable.joinOrStart` calls the functions in the order of this file.
struct RequestSharing {
    let call: RequestCall
    let services: RequestServices

    // MARK: - Requests that no other caller can share

    /// True if each call needs a request of its own, because the service may act on each call.
    ///
    /// Subscriptions are not shared either: each call of a subscription has an operation of its own.
    var isAlone: Bool { call.operation.artifact.kind == .mutation }

    // MARK: - A request in flight

    /// Returns true if the caller may share a request in flight for the same operation.
    func mayShare(_ request: RequestExecution) -> Bool {
        !wantsAnotherKey(than: request) && hasConfiguration(of: request) && !readsDataInvalidated(since: request)
    }

    /// Returns true if the caller has changed its key and the request has another key. Such a request is too old for
    /// the caller.
    private func wantsAnotherKey(than request: RequestExecution) -> Bool {
        call.changesKey && request.firstKey != call.key
    }

    /// Returns true if the configurations are equal. Headers and context may change the response.
    private func hasConfiguration(of request: RequestExecution) -> Bool {
        request.configuration == call.configuration
    }

    /// Returns true if the service may have made the response before an invalidation of the data.
    private func readsDataInvalidated(since request: RequestExecution) -> Bool {
        services.store.wasInvalidated(call.operation, since: request.began)
    }

    // MARK: - A file that is suspended

    /// True if data of the file is enough for the caller, or is shown while a request is sent.
    var mayBeInFile: Bool { call.policy?.looksIntoStore == true && !call.asksAgain && !call.changesKey }

    /// Returns a payload for a caller that has waited for the file, if the data is there and valid. Others follow if a
    /// request has to be sent all the same.
    func payloadOfFile() -> StoredPayload? {
        guard services.store.check(call.operation, at: services.log.now()).isAvailable else { return nil }
        return storedPayload(hasNext: call.policy == .storeAndNetwork)
    }

    // MARK: - Without a request in flight

    /// Returns a payload for the caller if the operation has only client fields, so that no request is sent.
    func unsentPayload() -> StoredPayload? {
        call.operation.artifact.isSent ? nil : .stored()
    }

    /// Returns a payload for the caller if the operation was fetched under the caller's key.
    func payloadUnderKey() -> StoredPayload? {
        guard !call.asksAgain, let key = call.key else { return nil }
        let availability = services.store.check(call.operation, at: services.log.now())
        guard services.store.isFetched(call.operation, under: key, availability) else { return nil }
        return storedPayload()
    }

    /// Passes the response of a preload that lands at this moment to the waiter; returns false if none does.
    func followsPreload(_ waiter: Waiter) -> Bool {
        !call.asksAgain && call.preloaded?.follow(call.operation, waiter) == true
    }

    /// Returns a payload for the caller if a preload has just landed.
    func preloadedPayload() -> StoredPayload? {
        guard !call.asksAgain, call.preloaded?.isFetched(call.operation) == true else { return nil }
        let availability = services.store.check(call.operation, at: services.log.now())
        return availability.isComplete && availability != .stale ? storedPayload() : nil
    }

    private func storedPayload(hasNext: Bool = false) -> StoredPayload {
        .stored(errors: services.lastFetches.errors(of: call.operation), hasNext: hasNext)
    }
}

extension Store {
    /// Returns true if the last fetch of an operation has that key and none of its data has been removed since.
    func isFetched(_ operation: BoundOperation, under key: FetchKey, _ availability: Coverage) -> Bool {
        guard let fetch = operations.fetch(of: operation), let keys = fetch.key as? FetchKeys else { return false }
        switch availability {
        case .available: break
        case .stale: return false
        case .missing:
            // The response lacked these fields, and another response would lack them too.
            if !fetch.isIncomplete || fetch.isRevoked || wasInvalidated(operation, since: fetch.epoch) {
                return false
            }
        }
        return keys.keys.contains(key)
    }
}
