extension RelayEnvironment {
    /// Executes a mutation: sends it, writes the answer into the store, and notifies every handle that reads changed
    /// fields.
    ///
    /// The server's errors are in the response, as with `fetch`: an answer with errors, even without data, is an answer
    /// and is returned, here and by ``MutationHandle/commit(_:optimistic:serial:configuration:update:)``. The
    /// ``GraphQLResponse/result`` of the response is then the failure ``RelayError/noData(_:)``. If the task is
    /// cancelled, the request is cancelled too; it is then unknown whether the server has executed the mutation. In a
    /// task that is already cancelled nothing is shown and nothing is sent. Several mutations may be in flight, and
    /// their answers may come in any order.
    ///
    /// `update` runs after the answer was read and before it is visible. It gets the records as they will be and the
    /// answer's data. Its changes are published together with the answer. If the data that it read has changed by then,
    /// it runs again. If it throws, nothing of the answer is kept and `commit` throws ``RelayError/updater(_:)``.
    ///
    /// `update` is not called for an answer without data. Nor is it called if a non-null field has no value and no
    /// nullable field encloses it. In the second case nothing of the answer is kept, and `commit` throws
    /// ``RelayError/missingNonNullField(path:component:)``. The same holds for data that cannot be read, with the error
    /// that is the response's `failure` otherwise. Without an `update` such an answer is kept, and the response has no
    /// data.
    ///
    /// With `serial`, commits of the same name are sent one after the other, in the order in which they were called.
    /// The outcome of one does not matter for the next. Their optimistic changes are shown meanwhile. If the task is
    /// cancelled while its commit waits, nothing is sent.
    ///
    /// `optimistic` is shown before this method first waits. It is removed in the publish in which the answer lands, so
    /// that nothing flickers, or when there is no answer. If it is a response with a name that the mutation does not
    /// select, nothing is sent and `commit` throws ``RelayError/optimisticResponse(_:)``.
    ///
    /// ### Behavior
    ///
    /// - The updater runs in the publish of the answer.
    /// - An updater that throws leaves the store as it was.
    /// - An answer without data does not call the updater, and its errors are in the response.
    /// - A non-null field without a value fails a commit with an updater, and the error names the field.
    /// - Equal mutations are not shared.
    /// - In a task that is cancelled already nothing is shown and nothing is sent.
    /// - The answer takes the place of the optimistic change in one publish.
    /// - The optimistic change is taken back when the mutation fails.
    /// - The optimistic change is taken back when the task is cancelled.
    @discardableResult
    public func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: OptimisticUpdate<Mutation>? = nil, serial: String? = nil,
        configuration: RequestConfiguration = RequestConfiguration(),
        update: (@Sendable (RecordSourceProxy, Mutation.Data) throws -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Mutation> {
        try await commit(mutation, optimistic, serial, configuration, update, CommitStop())
    }

    /// Changes records locally and notifies every handle that reads changed fields. All changes land together when the
    /// body returns; if it throws, none of them lands.
    ///
    /// The body sees the store as it was when the update began, with its own changes on top. It runs on the calling
    /// thread while no lock is held, so it may read and update the environment. If other threads have changed the data
    /// that it read by the time it returns, it runs again, so that updates do not overwrite each other. The result of
    /// the last run is returned.
    @discardableResult
    public func update<Result>(_ body: (RecordSourceProxy) throws -> Result) throws -> Result {
        let start = startOfPublish()
        do {
            return try store.update(announce: { report($0, .update, since: start) }, body).0
        } catch {
            log.reportNames(store.names)
            emit(.updateFailed(LogEvent.UpdateFailure(source: .update, error: error)))
            throw error
        }
    }
}
