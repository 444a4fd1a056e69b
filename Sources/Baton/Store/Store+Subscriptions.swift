extension Store {
    /// Tells the subscriber of every change of what was read, until `unsubscribe`; at once if it has changed since the
    /// read.
    ///
    /// The subscriber is held until then. A subscription that replaces another goes on telling the subscriber of that
    /// one.
    package func subscribe(
        _ subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> SubscriptionID {
        let (id, hasChanged) = subscribe(quietly: subscriber, to: dependencies, replacing: old)
        if hasChanged { subscriber.storeDidChange(at: epoch) }
        return id
    }

    /// Like `subscribe`, but says whether something has changed since the read instead of telling the subscriber: for
    /// callers that hold a lock.
    package func subscribe(
        quietly subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> (id: SubscriptionID, hasChanged: Bool) {
        let id = subscriptions.withLock { $0.add(subscriber, dependencies, replacing: old) }
        collector.note(reading: dependencies)
        // A publish from here on finds the subscription; one before is found by comparing versions.
        guard epoch != dependencies.epoch else { return (id, false) }
        return (id, dependencies.haveChanged(in: records))
    }

    /// Ends a subscription; does nothing if it has ended.
    package func unsubscribe(_ id: SubscriptionID) {
        _ = subscriptions.withLock { $0.remove(id) }
    }

    /// The number of live subscriptions.
    package var subscriptionCount: Int { subscriptions.withLock { $0.count } }
}
