extension RelayEnvironment {
    /// Executes a mutation, which `stop` may cancel.
    func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, _ optimistic: OptimisticUpdate<Mutation>?, _ serial: String?,
        _ configuration: RequestConfiguration,
        _ update: (@Sendable (RecordSourceProxy, Mutation.Data) throws -> Void)?, _ stop: CommitStop
    ) async throws(RelayError) -> GraphQLResponse<Mutation> {
        if Task.isCancelled { throw RelayError.cancelled }
        let operation = store.bind(mutation)
        if let refusal = operation.refusal ?? configuration.refusal { throw refusal }
        if case .response(let data, _)? = optimistic?.kind,
            let error = operation.artifact.notSelected(in: data, needsIDs: store.customDataID == nil)
        {
            throw .optimisticResponse(error)
        }
        var updater: RequestExecution.Updater?
        if let update {
            updater = { proxy, operation in try update(proxy, proxy.responseData(Mutation.Data.self, operation)) }
        }
        let layer = optimistic.flatMap { apply($0, for: operation) }
        let generation = store.version.generation
        let turn = serial.map { serials.enter($0, operation.artifact.name) }
        var hasTurn = true
        if let turn, case .failure = await wait(for: turn.start, stop, cancel: { [serials] in serials.leave(turn) }) {
            hasTurn = false
        }
        defer { if let turn, hasTurn { serials.end(turn) } }
        if !hasTurn || stop.isStopped || turn != nil && (Task.isCancelled || store.version.generation != generation) {
            if let layer { drop(layer, of: operation.artifact.name) }
            if let turn { noteSent(turn) }
            throw .cancelled
        }
        let result = AwaitedResult<ResponseContent>()
        let waiter = Waiter { [self] event in
            switch event {
            case .landed(let payload) where payload.hasNext: break
            case .landed(let payload): result.set(.success(ResponseContent(payload, of: operation, in: self)))
            case .failed(let error): result.set(.failure(error))
            case .completed, .connection: break
            }
        }
        let end = AwaitedResult<Void>()
        let call = RequestCall(
            operation: operation, updater: updater, layer: layer, configuration: configuration,
            beginsAtOnce: true, whenOver: { end.set(.success(())) })
        // No other code has the waiter, so it cannot be over.
        guard let request = requests.joinOrStart(call, for: waiter) else { throw .cancelled }
        if let turn { noteSent(turn) }
        _ = await wait(for: end, stop) { request.cancel() }
        // A task that was cancelled before the response landed ends without it.
        result.set(.failure(.cancelled))
        let content = try await result.value.get()
        // Data from before a reset must not be returned after the reset.
        guard store.version.generation == request.generation else { throw .cancelled }
        content.report()
        return GraphQLResponse(content)
    }

    /// Notes that a commit no longer waits in its queue, and lets the waiters of `settled` check again.
    private func noteSent(_ turn: SerialTurn) {
        serials.noteSent(turn)
        activity.look()
    }

    private func wait<Value>(
        for awaited: AwaitedResult<Value>, _ stop: CommitStop, cancel: @escaping @Sendable () -> Void
    ) async -> Result<Value, RelayError> {
        stop.set(cancel)
        return await withTaskCancellationHandler {
            await awaited.value
        } onCancel: {
            cancel()
        }
    }
}
