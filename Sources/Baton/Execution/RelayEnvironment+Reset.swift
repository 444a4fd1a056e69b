extension RelayEnvironment {
    /// Removes all data, for example after a log-out.
    ///
    /// Requests in flight are cancelled; callers that await one get ``RelayError/cancelled``. The store is empty and
    /// optimistic changes are gone. Nothing that began before the reset lands any more: no answer, no local update, no
    /// event of a subscription.
    ///
    /// Query handles that were asked for data ask for it again, under their policy and for an empty store. Fragment
    /// handles wait for that data, and mutation handles show nothing. After the call no handle returns old data,
    /// `previousData` included, and no observer gets old data. A body that already runs on another thread still ends.
    public func reset() {
        let start = startOfPublish()
        let (subscribers, summary) = store.empty()
        let generation = store.version.generation
        outcomes.reset(to: generation)
        operations.emptyBuffer()
        for handle in handles.all { handle.reset() }
        for request in requests.all where request.generation < generation { abandon(request) }
        report(summary, .reset, since: start)
        // A reset invalidates everything.
        store.queue.invalidationWatch.notify()
        for subscriber in subscribers { subscriber.storeDidChange(at: summary.epoch) }
        // Names and arguments are removed too; those still in use are removed by the next collection.
        store.operations.forgetIdle()
        _ = store.collectGarbage()
        if store.collector.mustFreeNames.load(ordering: .relaxed) { store.triggers.want(.release) }
    }
}
