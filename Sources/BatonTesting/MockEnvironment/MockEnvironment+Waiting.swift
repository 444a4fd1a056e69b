public import Baton

extension MockEnvironment {
    /// Waits for a request that the tested code sends by itself, such as a mutation that the task of a button commits.
    ///
    ///     star.toggle(book)                                           // starts a task and returns
    ///     try await mock.waitForRequest(of: StarMutation.self)
    ///     #expect(star.text() == "saving ...")
    ///     try await mock.resolve(StarMutation.self)
    ///
    /// The function returns as soon as such a request waits for the test and the environment has nothing left to do, so
    /// at once if one waits already. The request stays in ``pending``. One that takes a queued answer never waits.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - variables: The variables of the request that is meant; nil for any.
    ///   - timeout: The longest wait for the request, by the clock of the machine; longer if the machine is busy.
    /// - Returns: The oldest such request.
    /// - Throws: ``MockFailure`` with what waits and what was seen if no such request comes in time, and
    ///   `CancellationError` when the calling task is cancelled.
    @discardableResult
    public func waitForRequest<Operation: GraphQLOperation>(
        of operation: Operation.Type, variables: JSONValue? = nil, timeout: Duration = .seconds(20)
    ) async throws -> MockRequest {
        let activity = environment.activity
        let alarm = Alarm(after: timeout) { activity.look() }
        defer { alarm.stop() }
        while true {
            try Task.checkCancellation()
            // A request that is listed after this changes the counts once more.
            let revision = activity.counts.revision
            if let request = find(operation, variables) {
                await settle(environment)
                return request
            }
            if alarm.hasRung { throw failure("has come within \(timeout)", operation, variables) }
            alarm.start()
            await activity.change(after: revision)
        }
    }

    /// The oldest waiting request of an operation, which must be there.
    func oldest<Operation: GraphQLOperation>(
        _ operation: Operation.Type, _ variables: JSONValue?
    ) throws(MockFailure) -> MockRequest {
        guard let request = find(operation, variables) else { throw failure("waits", operation, variables) }
        return request
    }

    private func find<Operation: GraphQLOperation>(
        _ operation: Operation.Type, _ variables: JSONValue?
    ) -> MockRequest? {
        pending(operation).first { request in variables.map { $0 == request.variables } ?? true }
    }

    /// What to throw if no request of an operation does something.
    private func failure<Operation: GraphQLOperation>(
        _ predicate: String, _ operation: Operation.Type, _ variables: JSONValue?
    ) -> MockFailure {
        let wanted = SeenEvents.text(operation.artifact.name, variables)
        let others = pending.map { SeenEvents.text($0.request.operationName, $0.variables) }
        let waiting = others.isEmpty ? "nothing waits" : "there wait \(others.joined(separator: ", "))"
        return MockFailure("no request of \(wanted) \(predicate); \(waiting); \(seen.text(answers))")
    }
}
