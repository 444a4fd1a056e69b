extension Store {
    /// Notifies the subscriber of every change of the data that was read, until `unsubscribe`. If the data has changed
    /// since the read, notifies at once.
    ///
    /// The subscriber is held until `unsubscribe`. If the subscription replaces an old one, the old subscriber stays.
    package func subscribe(
        _ subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> SubscriptionID {
        let (id, hasChanged) = subscribe(quietly: subscriber, to: dependencies, replacing: old)
        if hasChanged { subscriber.storeDidChange(at: epoch) }
        return id
    }
}
