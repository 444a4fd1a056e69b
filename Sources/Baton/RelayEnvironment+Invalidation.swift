import Synchronization

extension RelayEnvironment {
    /// Invalidates the store: everything that was fetched before becomes stale. Shown data does not change.
    ///
    /// The next `get` that evaluates its policy sends a request if the policy needs valid data. Requests that began
    /// before are no longer shared. Fields that any operation fetches from now on are valid again.
    public func invalidate() {
        reporting { store.invalidate(report: $0) }
    }

    /// Invalidates a record: operations that read the record and fetched its fields before become stale. Does nothing
    /// for a record that the store does not hold.
    public func invalidate(_ id: DataID) {
        reporting { store.invalidate(id, report: $0) }
        reportUnknown(id)
    }

    /// Invalidates a type: operations that read a record of the type and fetched its fields before become stale.
    ///
    /// The type is an object type, an interface or a union. An interface or a union stands for the object types that
    /// responses have shown to belong to it. The time does not depend on the number of records.
    public func invalidate(type: TypeName) {
        reporting { store.invalidate(type: type, report: $0) }
    }

    /// Invalidates a query with these variables. It is stale until the query itself is fetched again.
    public func invalidate<Query: GraphQLQuery>(_ query: Query) {
        reporting { store.invalidate(store.bind(query), report: $0) }
    }

    /// Invalidates a query with all variables. Each operation is stale until it is fetched again itself.
    public func invalidate<Query: GraphQLQuery>(_: Query.Type) {
        reporting { store.invalidate(all: Query.artifact, report: $0) }
    }

    private func reporting(_ invalidate: (PublishReport?) -> Void) {
        let report = report(of: .invalidation)
        reportingFrames { invalidate(report) }
    }

    // MARK: - Observing invalidations

    /// Returns a point in time for some records, with which later invalidations can be compared.
    public func invalidationState(of ids: [DataID]) -> InvalidationState {
        InvalidationState(of: ids, in: store)
    }

    /// Runs the body on an actor whenever some of these records are invalidated: by themselves, with their type, or
    /// with the whole store.
    ///
    /// The body gets the invalidated records in the order of `ids`. Several invalidations may come in one call. The
    /// actor is held weakly. The body is kept until the observation ends: with the token's `cancel`, with the actor, or
    /// with the environment.
    @discardableResult
    public func onInvalidation<Observer: Actor>(
        of ids: [DataID], on observer: Observer,
        _ body: @escaping @Sendable (isolated Observer, [DataID]) -> Void
    ) -> ObservationToken {
        let listener = InvalidationObserver(observer, of: ids, in: self, body)
        store.invalidationWatch.add(listener)
        return ObservationToken { [weak self, weak listener] in
            guard let listener else { return }
            listener.end()
            self?.store.invalidationWatch.remove(listener)
        }
    }

    /// Runs the body on the main actor whenever some of these records are invalidated.
    @discardableResult
    public func onInvalidation(
        of ids: [DataID], on main: MainActor, _ body: @escaping @MainActor @Sendable ([DataID]) -> Void
    ) -> ObservationToken {
        onInvalidation(of: ids, on: main) { (_: isolated MainActor, invalidated) in
            MainActor.assumeIsolated { body(invalidated) }
        }
    }

    /// Removes all data, for example after a log-out, and sends nothing.
    ///
    ///     environment.reset()                     // after a log-out: nobody is signed in
    ///     environment.reset(refetching: true)     // another user or server: what is on show is asked for again
    ///
    /// Requests in flight are cancelled; callers that await one get ``RelayError/cancelled``. The store is empty and
    /// optimistic changes are gone. Work that began before the reset does not land any more: no response, no local
    /// update, no event of a subscription. After the call no handle returns old data, `previousData` included, and no
    /// observer gets old data. A body that already runs on another thread still ends.
    ///
    /// The guide <doc:ChangingTheStore> has a whole sign-in and log-out.
    ///
    /// ### Behavior
    ///
    /// - After a reset a handle is `loading` and sends nothing, as before its first call.
    /// - After a reset the next `get` counts as the first one, with the same variables too.
    /// - After a reset `retry()` and `refetch()` send.
    /// - After a reset no handle sends a request by itself.
    /// - With `refetching` the handles that were asked for data request it again at once.
    /// - A cancelled handle stays cancelled after a reset, with `refetching` too, until it is asked again.
    /// - A later reset with `refetching` requests the data that an earlier reset has removed.
    /// - After a reset a handle under `storeOnly` shows what the empty store has.
    /// - After a reset fragment handles are `loading`, and their missing fields are not reported.
    ///
    /// - Parameter refetching: True if live handles request again the data that they were asked for.
    public func reset(refetching: Bool = false) {
        reportingFrames { empty(refetching: refetching) }
    }

    private func empty(refetching: Bool) {
        let report = report(of: .reset)
        let landing = store.empty()
        let generation = store.version.generation
        lastFetches.reset(to: generation)
        operations.emptyBuffer()
        for handle in handles.all { handle.reset(asksAgain: refetching) }
        for request in requests.all where request.generation < generation { request.giveUp() }
        // A reset counts as an invalidation of the whole store.
        store.tell(landing, report: report)
        // Unused names and arguments are removed too. The next collection removes those that are still in use now.
        store.operations.forgetIdle()
        store.collector.collectGarbage()
        if store.collector.mustFreeNames.load(ordering: .relaxed) { store.triggers.want(.release) }
    }

    /// Tells the handles whose ``Freshness`` has the trigger of that name what has happened. A handle fetches again if
    /// its last fetch has failed or is older than `age`; meanwhile it continues to show its data. So do the handles of
    /// its fragments whose last page or refetch has failed. Returns at once.
    ///
    ///     environment.note(.applicationReturned, ifOlderThan: .seconds(60))
    public func note(_ event: Freshness.Event, ifOlderThan age: Duration = .zero) {
        refreshes.note(event.trigger, ifOlderThan: age)
    }
}
