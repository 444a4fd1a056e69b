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
        try await commit(mutation, optimistic, serial, configuration, update, CommitStop())
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
