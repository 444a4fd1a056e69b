extension Store {
    /// The newest version, and how often the store was emptied before it.
    package var version: (epoch: Epoch, generation: Int) { state.withLock { ($0.epoch, $0.generation) } }

    /// Removes every record and every optimistic layer. What was staged before, and is published after, does not land.
    ///
    /// It tells nobody: the caller has to tell the subscribers that it gets, in this order.
    package func empty() -> (subscribers: [any StoreSubscriber], summary: PublishSummary) {
        // What a collection has found out is worth nothing any more.
        abandonCollection()
        // Let go of when no lock is held: it may be the last to hold objects of the application.
        let (epoch, old, layers) = writer.withLock { order in
            let layers = order.layers.removeAll()
            let (epoch, old) = state.withLock { records in
                let old = records
                records = Records(emptying: old)
                return (records.epoch, old)
            }
            return (epoch, old, layers)
        }
        defer { _ = layers }
        journal.withLock { $0 = PublishJournal(options.history) }
        collector.mustFreeNames.store(true, ordering: .relaxed)
        note(.reset, at: epoch, ChangeSet())
        let generation = old.generation + 1
        _ = operations.withLock { operations in
            operations.forgetFetches(before: generation)
            return operations.takeRetired()
        }
        let subscribers = subscriptions.withLock { $0.all() }
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
        keepGenerations(of: old)
        generation = old.generation + 1
        emptied = epoch
        invalidated = epoch
        factsChanged = epoch
    }
}
