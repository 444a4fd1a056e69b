extension RelayEnvironment {
    /// Executes a mutation: sends it, writes the answer into the store, and tells every handle that reads what changed.
    ///
    /// Errors that the server sends are in the response, as with `fetch`. Cancelling the task cancels the request;
    /// whether the server has executed the mutation is then unknown. In a task that is cancelled already nothing is
    /// shown and nothing is sent.
    ///
    /// `update` runs once the answer is read and before anything of it is visible, with the records as they will be and
    /// the answer's data. What it changes is published together with the answer; if what it read has changed by then,
    /// it runs again. If it throws, nothing of the answer is kept and `commit` throws ``RelayError/updater(_:)``.
    ///
    /// It is not called for an answer without data. If there is data of which nothing can be read, since a value that
    /// must not be null has none, it is not called either: nothing of the answer is kept, and `commit` throws
    /// ``RelayError/missingNonNullField(path:component:)``, which names the field. Without an `update` such an answer
    /// is kept, and the response has no data.
    ///
    /// `optimistic` is shown before this method first waits. If it is a response that names what the mutation does not
    /// select, nothing is sent and `commit` throws
    /// ``RelayError/optimisticResponse(_:)``. It goes in the publish in which the answer lands, so that nothing
    /// flickers, or when there is none. Several mutations may be in flight, and their answers come in any order.
    @discardableResult
    public func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: OptimisticChange<Mutation>? = nil,
        update: (@Sendable (RecordSourceProxy, Mutation.Data) throws -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Mutation> {
        if Task.isCancelled { throw RelayError.cancelled }
        let operation = store.bind(mutation)
        if let refusal = operation.refusal { throw refusal }
        if case .response(let data)? = optimistic?.kind, let error = operation.artifact.notSelected(in: data) {
            throw .optimisticResponse(error)
        }
        var updater: Request.Updater?
        if let update {
            updater = { proxy in try update(proxy, proxy.answerData(Mutation.Data.self, operation)) }
        }
        let request = makeRequest(
            for: operation, updater: updater, layer: optimistic.flatMap { apply($0, for: operation) })
        let reply = Reply<GraphQLResponse<Mutation>>()
        let waiter = Waiter { [self] event in
            switch event {
            case .answered(let answer) where answer.hasNext: break
            case .answered(let answer): reply.give(.success(GraphQLResponse(answer, of: operation, in: self)))
            case .failed(let error): reply.give(.failure(error))
            }
        }
        _ = request.add(waiter, key: nil)
        begin(request)
        let end = Reply<Void>()
        let task = send(request) { end.give(.success(())) }
        _ = await withTaskCancellationHandler {
            await end.value
        } onCancel: {
            task.cancel()
        }
        // A task that was cancelled before the answer landed ends without one.
        reply.give(.failure(.cancelled))
        let response = try await reply.value.get()
        response.report()
        return response
    }

    /// Changes records locally and tells every handle that reads what changed; all of it lands together when the body
    /// returns, and nothing if it throws.
    ///
    /// The body sees the store as it was when the update began, with its own changes on top. It runs on the calling
    /// thread, outside every lock, so it may read and update the environment. If somebody else has changed what it read
    /// by the time it returns, it runs again on top of that, so that no update takes back another; what it returned
    /// last counts.
    @discardableResult
    public func update<Result>(_ body: (RecordSourceProxy) throws -> Result) throws -> Result {
        let start = startOfPublish()
        do {
            return try store.update(announce: { report($0, .update, since: start) }, body).0
        } catch {
            reportNames()
            emit(.updateFailed(UpdateFailureEvent(source: .update, error: error)))
            throw error
        }
    }
}
