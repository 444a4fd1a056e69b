extension RelayEnvironment {
    /// Executes a mutation that `stop` may cancel, too.
    func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, _ optimistic: OptimisticUpdate<Mutation>?, _ serial: String?,
        _ configuration: RequestConfiguration,
        _ update: (@Sendable (RecordSourceProxy, Mutation.Data) throws -> Void)?, _ stop: CommitStop
    ) async throws(RelayError) -> GraphQLResponse<Mutation> {
        if Task.isCancelled { throw RelayError.cancelled }
        let operation = store.bind(mutation)
        if let refusal = operation.refusal ?? configuration.refusal { throw refusal }
        if case .response(let data)? = optimistic?.kind,
            let error = operation.artifact.notSelected(in: data, needsIDs: store.customDataID == nil)
        {
            throw .optimisticResponse(error)
        }
        var updater: Request.Updater?
        if let update {
            updater = { proxy, operation in try update(proxy, proxy.answerData(Mutation.Data.self, operation)) }
        }
        let layer = optimistic.flatMap { apply($0, for: operation) }
        let generation = store.version.generation
        let turn = serial.map { serials.enter($0, operation.artifact.name) }
        var hasTurn = true
        if let turn, case .failure = await wait(for: turn.reply, stop, cancel: { [serials] in serials.leave(turn) }) {
            hasTurn = false
        }
        defer { if let turn, hasTurn { serials.end(turn) } }
        if !hasTurn || stop.isStopped || turn != nil && (Task.isCancelled || store.version.generation != generation) {
            if let layer { drop(layer, of: operation.artifact.name) }
            if let turn { noteSent(turn) }
            throw .cancelled
        }
        let request = makeRequest(
            RequestCall(operation: operation, updater: updater, layer: layer, configuration: configuration))
        let reply = Reply<ResponseContent>()
        let waiter = Waiter { [self] event in
            switch event {
            case .answered(let answer) where answer.hasNext: break
            case .answered(let answer): reply.give(.success(ResponseContent(answer, of: operation, in: self)))
            case .failed(let error): reply.give(.failure(error))
            case .landing, .completed, .connection: break
            }
        }
        _ = request.add(waiter, key: nil)
        begin(request)
        if let turn { noteSent(turn) }
        let end = Reply<Void>()
        let task = send(request) { end.give(.success(())) }
        _ = await wait(for: end, stop) { task.cancel() }
        // A task that was cancelled before the answer landed ends without it.
        reply.give(.failure(.cancelled))
        let content = try await reply.value.get()
        // Data from before a reset must not be returned after it.
        guard store.version.generation == request.generation else { throw .cancelled }
        content.report()
        return GraphQLResponse(content)
    }

    /// Notes that a commit waits in its queue no longer. Whoever waits for all work to end looks again.
    private func noteSent(_ turn: SerialTurn) {
        serials.noteSent(turn)
        activity.look()
    }

    private func wait<Value>(
        for reply: Reply<Value>, _ stop: CommitStop, cancel: @escaping @Sendable () -> Void
    ) async -> Result<Value, RelayError> {
        stop.set(cancel)
        return await withTaskCancellationHandler {
            await reply.value
        } onCancel: {
            cancel()
        }
    }
}
