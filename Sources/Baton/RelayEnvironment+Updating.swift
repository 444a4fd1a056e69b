extension RelayEnvironment {
    /// Executes a mutation: sends it, writes the response into the store, and notifies every handle that reads changed
    /// fields.
    ///
    /// The server's errors are in the response, as with `fetch`. A response with errors, even without data, is returned
    /// and not thrown, here and by ``MutationHandle/commit(_:optimistic:serial:configuration:update:)``. Without data,
    /// its ``GraphQLResponse/result`` is the failure ``RelayError/noData(_:)``. If the task is cancelled, the request
    /// is cancelled too; it is then unknown whether the server has executed the mutation. In a task that is already
    /// cancelled, no optimistic change is shown and no request is sent. Several mutations may be in flight, and their
    /// responses may come in any order.
    ///
    /// `update` runs after the response was read and before it is visible. It gets the records as they will be, and the
    /// response's data. Its changes are published together with the response. If the data that it read has changed by
    /// then, it runs again. If it throws, nothing of the response is kept and `commit` throws
    /// ``RelayError/updater(_:)``.
    ///
    /// `update` is not called for a response without data. Nor is it called if a non-null field has no value and no
    /// nullable field encloses it. In the second case nothing of the response is kept, and `commit` throws
    /// ``RelayError/missingNonNullField(path:component:)``. The same holds for data that cannot be read; `commit` then
    /// throws the error that would be the response's `failure`. Without an `update` such a response is kept and
    /// returned without data.
    ///
    /// With `serial`, commits of the same name are sent one after another, in the order of their calls. A commit is
    /// sent even if the commit before it has failed. The optimistic changes of waiting commits are shown. If the task
    /// is cancelled while its commit waits, no request is sent.
    ///
    /// `optimistic` is shown before this method first waits. It is removed in the publish in which the response lands,
    /// so that nothing flickers, or when there is no response. If it is a response with a name that the mutation does
    /// not select, no request is sent and `commit` throws ``RelayError/optimisticResponse(_:)``.
    ///
    /// ### Behavior
    ///
    /// - The updater runs in the publish of the response.
    /// - An updater that throws leaves the store as it was.
    /// - A response without data does not call the updater, and has the server's errors.
    /// - A non-null field without a value fails a commit with an updater, and the error names the field.
    /// - Equal mutations are not shared.
    /// - In a task that is cancelled already no change is shown and no request is sent.
    /// - The response replaces the optimistic change in one publish.
    /// - The optimistic change is taken back when the mutation fails.
    /// - The optimistic change is taken back when the task is cancelled.
    @discardableResult
    public func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: OptimisticUpdate<Mutation>? = nil, serial: String? = nil,
        configuration: RequestConfiguration = RequestConfiguration(),
        update: (@Sendable (RecordSourceProxy, Mutation.Data) throws -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Mutation> {
        reportCommitOfFrame(Mutation.artifact.name)
        return try await commit(mutation, optimistic, serial, configuration, update, CommitStop())
    }

    /// Changes records locally and notifies every handle that reads changed fields. All changes land together when the
    /// body returns; if it throws, none of them lands.
    ///
    /// The body sees the version of the store at the beginning of the update, with its own changes on top. It runs on
    /// the calling thread while no lock is held, so it may read and update the environment. If other threads have
    /// changed the data that it read by the time it returns, it runs again. So updates do not overwrite each other. The
    /// result of the last run is returned.
    @discardableResult
    public func update<Result>(_ body: (RecordSourceProxy) throws -> Result) throws -> Result {
        do {
            return try reportingFrames { try store.update(report: report(of: .update), body).0 }
        } catch {
            log.reportNames(store.names)
            emit(.updateFailed(LogEvent.UpdateFailure(source: .update, error: error)))
            throw error
        }
    }

    /// Changes records until the returned object is reverted or deinitialized, and notifies every handle that reads
    /// changed fields.
    ///
    /// The change is a layer on top of the store. Responses and updates land below it, and their data shows when the
    /// change is reverted. The body runs at once, and again whenever data that it has read or written changes below it;
    /// see ``OptimisticUpdate/update(_:)``.
    ///
    /// - Parameters:
    ///   - file: The place in the program, for a report of a change that is let go before anybody has seen it.
    ///   - line: The line in the file.
    ///   - body: Changes the records.
    public func applyUpdate(
        file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (RecordSourceProxy) throws -> Void
    ) -> OptimisticLayer {
        let layer = reportingFrames { apply(body, of: nil) }
        return OptimisticLayer(layer, in: self, at: (file, line), store.unseenLayer.begin())
    }

    /// Reverts changes in one publish and notifies every handle that reads a field which changes by that. Changes that
    /// were reverted before are skipped.
    ///
    /// Use this method for changes that depend on each other. If they are reverted one after another from the oldest
    /// on, each step makes the later ones run again.
    public func revert(_ updates: some Sequence<OptimisticLayer>) {
        var layers: [LayerID] = []
        for update in updates {
            update.noteUse()
            if update.environment === self { layers.append(update.layer) } else { update.revert() }
        }
        drop(layers, of: nil)
    }

    /// Runs a body and delivers all its changes together: each observer, each tracked frame and each sequence of
    /// results gets one state, the state after the body.
    ///
    ///     environment.batch {
    ///         for film in films { try? environment.update { try $0.delete(film.dataID) } }
    ///     }
    ///
    /// All readers see the writes of the body at once. Only deliveries wait, including those for writes of other
    /// threads and for responses that land meanwhile. An observer whose body is about to run may see a part of the
    /// changes. Batches may be nested and may overlap; the deliveries wait for the end of the last one. The body should
    /// be short. If it throws, the error is thrown, and the changes before the error are delivered.
    ///
    /// ### Behavior
    ///
    /// - A batch delivers one state, the state after it, and its writes can be read at once.
    /// - A batch that throws delivers the changes from before the error.
    /// - Batches that overlap deliver the last state.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try body()
    }

    /// Runs an asynchronous body and delivers all its changes together, as the synchronous `batch` does. While the body
    /// waits for the network, no screen of the environment changes.
    public func batch<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try await body()
    }

    /// Writes a payload into the store as if a server had just sent it, and notifies every handle that reads changed
    /// fields. No request is made.
    ///
    ///     try environment.publish(.data(["film": ["id": "1", "title": "Hope"]]), for: FilmQuery(id: "1"))
    ///
    /// Use the method for data that arrives in another way: with a rendered page, in a push message, from a file.
    /// Fields that the payload leaves out keep their values. The payload counts as fetched now and as newer than the
    /// responses of queries in flight. It does not count as a fetch under any key. The data is not retained; use a
    /// handle or ``retain(_:)`` for that.
    ///
    /// Throws ``RelayError/invalidResponse(_:)`` if the payload is not JSON or does not fit the operation,
    /// ``RelayError/noData(_:)`` if it has no data, and ``RelayError/updater(_:)`` if a field handler throws. The store
    /// is then as it was.
    public func publish<Operation: GraphQLOperation>(
        _ payload: GraphQLPayload<Operation>, for operation: Operation
    ) throws(RelayError) {
        try reportingFrames { () throws(RelayError) in _ = try land(payload, for: store.bind(operation)) }
    }

    /// Writes a payload for a query whose variables are given as JSON.
    package func publish<Query: GraphQLOperation>(
        _ payload: GraphQLPayload<Query>, variables: JSONValue
    ) throws(RelayError) {
        _ = try land(payload, for: store.bind(Query.artifact, variables: variables))
    }
}
