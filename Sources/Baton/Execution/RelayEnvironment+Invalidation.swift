extension RelayEnvironment {
    /// Makes everything stale that was fetched before; moves nothing that is shown.
    ///
    /// The next `get` that evaluates its policy fetches where the policy asks for valid data. Requests that began
    /// before are not shared any more. What another operation fetches from now on is valid again, field by field.
    public func invalidate() {
        reportInvalidation { store.invalidate() }
    }

    /// Makes every operation stale that reads this record and fetched what it reads of it before; does nothing for a
    /// record that the store does not hold.
    public func invalidate(_ id: DataID) {
        reportInvalidation { store.invalidate(id) }
        reportUnknown(id)
    }

    /// Makes every operation stale that reads a record of this type and fetched what it reads of it before.
    ///
    /// The type is an object type, or an interface or union; of those, it concerns the object types that answers have
    /// shown to belong to it. Takes time independent of the number of records.
    public func invalidate(type: TypeName) {
        reportInvalidation { store.invalidate(type: type) }
    }

    /// Makes a query with these variables stale, until it is fetched again itself.
    public func invalidate<Query: GraphQLQuery>(_ query: Query) {
        reportInvalidation { store.invalidate(store.bind(query)) }
    }

    /// Makes a query stale with whatever variables, until it is fetched again with them.
    public func invalidate<Query: GraphQLQuery>(_: Query.Type) {
        reportInvalidation { store.invalidate(all: Query.artifact) }
    }

    private func reportInvalidation(_ invalidate: () -> PublishSummary?) {
        let start = startOfPublish()
        if let summary = invalidate() { report(summary, .invalidation, since: start) }
    }

    // MARK: - Hearing of it

    /// The state of some records as to invalidations, to be compared with what comes later.
    public func invalidationState(of ids: [DataID]) -> InvalidationState {
        InvalidationState(of: ids, in: store)
    }

    /// Runs the body on an actor whenever some of these records are invalidated: themselves, with their type, or with
    /// everything.
    ///
    /// The body gets those that were, in the order of `ids`. Several invalidations may come as one. The actor is held
    /// weakly; the body is kept until the observation ends, which it does with the token's `cancel`, with the actor or
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
