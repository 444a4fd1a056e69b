import Synchronization

extension Store {
    /// Removes every record and every optimistic layer. Records that were staged before do not land afterwards.
    ///
    /// The caller has to tell of it.
    func empty() -> Landing {
        // A running collection has marked records that do not exist any more.
        collector.abandon()
        // The old version and the layers are freed after all locks are released, because they may be the last holders
        // of objects of the application.
        let (epoch, old, layers) = queue.inTurn { turn in
            let layers = turn.layers.removeAll()
            turn.listsInStep = ListsInStep()
            turn.emptyUnwritten()
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
        let summary = PublishSummary(
            epoch: epoch, recordsWritten: 0, recordsChanged: old.known.count, subscriptionsAffected: subscribers.count)
        return Landing(ofEverything: summary, for: subscribers)
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
        // Nothing is resident: what leaves the memory later may come back under another number.
        if old.residence != nil { residence = Residence() }
    }
}
