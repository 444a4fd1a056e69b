extension RelayEnvironment {
    /// Forgets everything, as after a log-out.
    ///
    /// Requests in flight are cancelled: who awaits one gets ``RelayError/cancelled``. The store is empty, optimistic
    /// changes are gone, and nothing that began before lands in it any more: no answer, no local update, no event of a
    /// subscription. Query handles that were asked for something ask for it again, under their policy and for an empty
    /// store; fragment handles wait for them. When the call returns no handle gives anything of before,
    /// `previousData` included, and no observer is given anything of before; the body of one that already runs on
    /// another thread ends.
    public func reset() {
        let start = startOfPublish()
        let (subscribers, summary) = store.empty()
        let generation = store.version.generation
        operations.reset(to: generation)
        for handle in handles.all { handle.reset() }
        for request in requests.all where request.generation < generation { abandon(request) }
        report(summary, .reset, since: start)
        // Everything is as invalid as can be.
        store.queue.invalidationWatch.notify()
        for subscriber in subscribers { subscriber.storeDidChange(at: summary.epoch) }
        // Names and arguments too; what is in use by then goes with the next collection.
        store.operations.forgetIdle()
        _ = store.collectGarbage()
        if store.collector.mustFreeNames.load(ordering: .relaxed) { store.triggers.want(.release) }
    }
}
