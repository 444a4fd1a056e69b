extension RelayEnvironment {
    /// Invalidates the store: everything that was fetched before becomes stale. Shown data does not change.
    ///
    /// The next `get` that evaluates its policy sends a request if the policy needs valid data. Requests that began
    /// before are no longer shared. Fields that any operation fetches from now on are valid again.
    public func invalidate() {
        reportInvalidation { store.invalidate() }
    }

    /// Invalidates a record: operations that read the record and fetched its fields before become stale. Does nothing
    /// for a record that the store does not hold.
    public func invalidate(_ id: DataID) {
        reportInvalidation { store.invalidate(id) }
        reportUnknown(id)
    }

    /// Invalidates a type: operations that read a record of the type and fetched its fields before become stale.
    ///
    /// The type is an object type, an interface or a union. An interface or a union stands for the object types that
    /// responses have shown to belong to it. The time does not depend on the number of records.
    public func invalidate(type: TypeName) {
        reportInvalidation { store.invalidate(type: type) }
    }

    /// Invalidates a query with these variables. It is stale until the query itself is fetched again.
    public func invalidate<Query: GraphQLQuery>(_ query: Query) {
        reportInvalidation { store.invalidate(store.bind(query)) }
    }

    /// Invalidates a query with all variables. Each operation is stale until it is fetched again itself.
    public func invalidate<Query: GraphQLQuery>(_: Query.Type) {
        reportInvalidation { store.invalidate(all: Query.artifact) }
    }

    private func reportInvalidation(_ invalidate: () -> PublishSummary?) {
        let start = startOfPublish()
        if let summary = invalidate() { report(summary, .invalidation, since: start) }
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
        store.queue.invalidationWatch.add(listener)
        return ObservationToken { [weak self, weak listener] in
            guard let listener else { return }
            listener.end()
            self?.store.queue.invalidationWatch.remove(listener)
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
}
