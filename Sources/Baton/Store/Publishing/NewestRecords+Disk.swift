extension NewestRecords {
    /// Adds the notes of a file to the version, which began without them. What the version knows is newer. Only the
    /// thread with the turn may call this method.
    func add(_ opening: DiskOpening, _ names: NameTable) {
        let facts = StoreDisk.facts(opening.notes[.facts] ?? []).map { fact, holds in
            (TypeFact(type: names.type(fact.type), abstractType: names.type(fact.abstractType)), holds)
        }
        let found = StoreDisk.invalidations(of: opening, names)
        change { records in
            let epoch = records.epoch
            for (fact, holds) in facts where records.facts[fact] == nil { records.facts.learn(fact, holds, at: epoch) }
            // No version of a file lies ahead, unless it is damaged or the clock was wrong.
            records.invalidations.restore(
                ofStore: min(found.ofStore, epoch), types: found.types.mapValues { min($0, epoch) })
        }
    }
}
