public import Baton

// Each expectation throws what was seen instead, so that a test of any framework writes `try`.

extension MockEnvironment {
    /// Expects that requests of an operation were sent.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - variables: The variables that were sent; nil for any.
    ///   - times: The number of requests; nil for one or more.
    public func expectFetched<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil, times: Int? = nil
    ) throws(MockFailure) {
        try expect("fetched", operation, variables, times) { event in
            if case .fetchStarted(let fetch) = event { fetch } else { nil }
        }
    }

    /// Expects that requests of an operation were cancelled, because nobody waited for them any more.
    public func expectCancelled<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil, times: Int? = nil
    ) throws(MockFailure) {
        try expect("cancelled", operation, variables, times) { event in
            switch event {
            case .fetchCancelled(let fetch), .fetchFailed(let fetch, .cancelled): fetch
            default: nil
            }
        }
    }

    /// Expects that a mutation was sent, and that its response is in the store.
    public func expectCommitted<Mutation: GraphQLMutation>(
        _ mutation: Mutation.Type, variables: JSONValue? = nil, times: Int? = nil
    ) throws(MockFailure) {
        try expect("committed", mutation, variables, times) { event in
            if case .fetchFinished(let fetch, _) = event { fetch } else { nil }
        }
    }

    /// Expects that the data of an operation is retained, by a handle, a request in flight or a `Retention`.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - variables: Some of the variables; nil for any.
    ///   - isRetained: False to expect that nothing retains the data.
    public func expectRetained<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil, isRetained: Bool = true
    ) throws(MockFailure) {
        let name = operation.artifact.name
        let held = environment.store.operations.held
        let isHeld = held.contains { operation in
            operation.name == name
                && (variables?.objectValue ?? []).allSatisfy { operation.variables[$0.name] == $0.value }
        }
        guard isHeld != isRetained else { return }
        let texts = held.map { SeenEvents.text($0.name, $0.variables) }.sorted()
        throw MockFailure(
            "\(SeenEvents.text(name, variables)) was\(isRetained ? "" : " not") to be retained; "
                + (texts.isEmpty ? "nothing is retained" : "retained is: \(texts.joined(separator: "; "))"))
    }

    private func expect<Operation: GraphQLOperation>(
        _ verb: String, _ operation: Operation.Type, _ variables: JSONValue?, _ times: Int?,
        _ fetch: (LogEvent) -> LogEvent.Fetch?
    ) throws(MockFailure) {
        let name = operation.artifact.name
        let count = seen.all.compactMap(fetch).count { fetch in
            guard fetch.operationName == name else { return false }
            return variables.map { $0 == answers.request(fetch.request).map { .object($0.variables) } } ?? true
        }
        try check(count, times, "\(SeenEvents.text(name, variables)) was to be \(verb)")
    }

    /// Expects that an observer of a query or subscription was told of a change.
    ///
    /// - Parameters:
    ///   - operation: The operation that the observed handle holds.
    ///   - cause: Why the observer was told; nil for any cause.
    ///   - times: The number of deliveries; nil for one or more. Deliveries are coalesced to the newest state.
    public func expectNotified<Operation: GraphQLOperation>(
        _ operation: Operation.Type, because cause: LogEvent.Delivery.Cause? = nil, times: Int? = nil
    ) throws(MockFailure) {
        try expectNotified(operation.artifact.name, cause, times)
    }

    /// Expects that an observer of a fragment was told of a change.
    public func expectNotified<Fragment: GraphQLFragment>(
        _ fragment: Fragment.Type, because cause: LogEvent.Delivery.Cause? = nil, times: Int? = nil
    ) throws(MockFailure) {
        try expectNotified(fragment.artifact.name, cause, times)
    }

    private func expectNotified(
        _ component: String, _ cause: LogEvent.Delivery.Cause?, _ times: Int?
    ) throws(MockFailure) {
        let count = seen.all.count { event in
            guard case .delivered(let delivery) = event else { return false }
            return delivery.component == component && (cause == nil || delivery.cause == cause)
        }
        let reason = cause.map { " because of \($0.text)" } ?? ""
        try check(count, times, "'\(component)' was to be notified\(reason)")
    }

    private func check(_ count: Int, _ times: Int?, _ expectation: String) throws(MockFailure) {
        if times.map({ $0 == count }) ?? (count > 0) { return }
        let wanted = times.map { " \($0) times, and was \(count) times" } ?? ""
        throw MockFailure("\(expectation)\(wanted); \(seen.text(answers))")
    }

    /// Forgets what was seen, so that the next expectations are about what comes.
    public func forget() { seen.clear() }

    /// What a finished test should not leave: requests that wait for the test, queued answers that no request has
    /// taken, and mistakes in the log.
    public var leftovers: [String] {
        let waiting = pending.map {
            "\(SeenEvents.text($0.request.operationName, $0.variables)) was not answered: 'resolve' it, or queue '.never'"
        }
        let queued = answers.rest.sorted { $0.key < $1.key }.map {
            "\($0.value) of the answers that were queued for '\($0.key)' were not used"
        }
        return waiting + queued + seen.all.filter(\.isMistake).map { "mistake in the log: \($0)" }
    }
}
