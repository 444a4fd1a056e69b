extension Store {
    /// Removes every record and every optimistic layer. What was staged before, and is published after, does not land.
    ///
    /// It tells nobody: the caller has to tell the subscribers that it gets, in this order.
    package func empty() -> (subscribers: [any StoreSubscriber], summary: PublishSummary) {
        // What a collection has found out is worth nothing any more.
        collector.abandon()
        // Let go of when no lock is held: it may be the last to hold objects of the application.
        let (epoch, old, layers) = queue.inTurn { turn in
            let layers = turn.layers.removeAll()
            let (epoch, old) = turn.change { records in
                let old = records
                records = Records(emptying: old)
                return (records.epoch, old)
            }
            return (epoch, old, layers)
        }
        defer { _ = layers }
        journal.empty()
        collector.mustFreeNames.store(true, ordering: .relaxed)
        journal.notePublish(by: .reset, at: epoch)
        let generation = old.generation + 1
        operations.forgetFetches(before: generation)
        let subscribers = subscriptions.all
        let count = old.known.count
        return (
            subscribers,
            PublishSummary(
                epoch: epoch, recordsWritten: 0, recordsChanged: count, subscriptionsAffected: subscribers.count)
        )
    }
}

extension Records {
    /// The version after another, without records.
    fileprivate init(emptying old: Records) {
        self.init()
        epoch = old.epoch + 1
        keepCollections(of: old)
        generation = old.generation + 1
        emptied = epoch
        invalidated = epoch
        factsChanged = epoch
    }
}
