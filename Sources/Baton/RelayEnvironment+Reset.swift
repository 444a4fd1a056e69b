extension RelayEnvironment {
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
        let start = startOfPublish()
        let (subscribers, summary) = store.empty()
        let generation = store.version.generation
        lastFetches.reset(to: generation)
        operations.emptyBuffer()
        for handle in handles.all { handle.reset(asksAgain: refetching) }
        for request in requests.all where request.generation < generation { request.giveUp() }
        report(summary, .reset, since: start)
        // A reset counts as an invalidation of the whole store.
        store.queue.invalidationWatch.notify()
        for subscriber in subscribers { subscriber.storeDidChange(at: summary.epoch) }
        // Unused names and arguments are removed too. The next collection removes those that are still in use now.
        store.operations.forgetIdle()
        _ = store.collectGarbage()
        if store.collector.mustFreeNames.load(ordering: .relaxed) { store.triggers.want(.release) }
    }
}
