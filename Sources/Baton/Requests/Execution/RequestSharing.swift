/// Decides whether a caller needs a request of its own, or what serves it instead: a request in flight, what was
/// fetched before, or a preload.
///
/// Each reason has a function. `RequestTable.joinOrStart` asks in this order.
struct RequestSharing {
    let call: RequestCall
    let services: RequestServices

    // MARK: - Requests that no other caller can share

    /// True if each call has a request of its own, because the service may do something for each.
    ///
    /// Subscriptions are not shared either: each call of one has an operation of its own.
    var isAlone: Bool { call.operation.artifact.kind == .mutation }

    // MARK: - A request in flight

    /// Returns true if the caller may share a request in flight for the same operation.
    func mayShare(_ request: RequestExecution) -> Bool {
        !wantsAnotherKey(than: request) && hasConfiguration(of: request) && !readsDataInvalidated(since: request)
    }

    /// A caller that changes its key wants what is fetched from now on, so a request under another key is too old.
    private func wantsAnotherKey(than request: RequestExecution) -> Bool {
        call.changesKey && request.firstKey != call.key
    }

    /// Headers and context may change the response.
    private func hasConfiguration(of request: RequestExecution) -> Bool {
        request.configuration == call.configuration
    }

    /// The service may have made the response before the invalidation.
    private func readsDataInvalidated(since request: RequestExecution) -> Bool {
        services.store.wasInvalidated(call.operation, since: request.began)
    }

    // MARK: - Without a request in flight

    /// Returns what serves the caller if nothing is to be sent: the operation has nothing but client fields.
    func unsentPayload() -> LandedPayload? {
        call.operation.artifact.isSent ? nil : .stored()
    }

    /// Returns what serves the caller if the operation was fetched under the caller's key.
    func payloadUnderKey() -> LandedPayload? {
        guard !call.asksAgain, let key = call.key else { return nil }
        let availability = services.store.check(call.operation, at: services.log.now())
        guard services.store.isFetched(call.operation, under: key, availability) else { return nil }
        return storedPayload()
    }

    /// Lets the waiter get the response of a preload that lands at this moment; returns false if none does.
    func followsPreload(_ waiter: Waiter) -> Bool {
        !call.asksAgain && call.preloaded?.follow(call.operation, waiter) == true
    }

    /// Returns what serves the caller if a preload has just landed.
    func preloadedPayload() -> LandedPayload? {
        guard !call.asksAgain, call.preloaded?.isFetched(call.operation) == true else { return nil }
        let availability = services.store.check(call.operation, at: services.log.now())
        return availability.isComplete && availability != .stale ? storedPayload() : nil
    }

    private func storedPayload() -> LandedPayload {
        .stored(errors: services.lastFetches.errors(of: call.operation))
    }
}

extension Store {
    /// Returns true if the last fetch of an operation has that key and none of its data has been removed since.
    func isFetched(_ operation: BoundOperation, under key: FetchKey, _ availability: Availability) -> Bool {
        guard let fetch = lastFetch(of: operation), let keys = fetch.key as? FetchKeys else { return false }
        switch availability {
        case .available: break
        case .stale: return false
        case .missing:
            // Another request would not bring the fields that the response lacked.
            if !fetch.isIncomplete || fetch.isRevoked || wasInvalidated(operation, since: fetch.epoch) {
                return false
            }
        }
        return keys.keys.contains(key)
    }
}
