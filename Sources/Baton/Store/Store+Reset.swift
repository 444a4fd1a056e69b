import Synchronization

extension Store {
    /// Removes every record and every optimistic layer. Records that were staged before do not land afterwards.
    ///
    /// No subscriber is notified: the caller has to notify the returned subscribers, in their order.
    package func empty() -> (subscribers: [any StoreSubscriber], summary: PublishSummary) {
        // A running collection has marked records that do not exist any more.
        collector.abandon()
        // The old version and the layers are freed after all locks are released, because they may be the last holders
        // of objects of the application.
        let (epoch, old, layers) = queue.inTurn { turn in
            let layers = turn.layers.removeAll()
            turn.listsInStep = ListsInStep()
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
    /// Makes the version after another one, without records.
    fileprivate init(emptying old: Records) {
        self.init()
        epoch = old.epoch + 1
        setVacant(changed: epoch, collection: old.pages.vacant.collection)
        pages = RecordPages(emptying: old.pages, at: epoch)
        generation = old.generation + 1
        emptied = epoch
        invalidations = Invalidations(ofStore: epoch)
        facts = TypeFacts(emptiedAt: epoch)
    }
}
