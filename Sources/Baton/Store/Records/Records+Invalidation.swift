extension Records {
    /// Returns the version in which the records of a type were last invalidated; 0 for never. Takes time linear in the
    /// invalidated types.
    func lastInvalidation(of type: TypeID) -> Epoch {
        guard !invalidations.types.isEmpty, type != .none else { return 0 }
        return invalidations.types.reduce(0) { last, invalidation in
            guard invalidation.value > last else { return last }
            let isConcerned = invalidation.key == type || fact(type, is: invalidation.key) == true
            return isConcerned ? invalidation.value : last
        }
    }

    /// Returns the version in which a record was last invalidated: by itself, with its type or with the whole store; 0
    /// for never.
    func lastInvalidation(of record: RecordID) -> Epoch {
        max(invalidations.ofStore, invalidations.records[record] ?? 0, lastInvalidation(of: type(of: record)))
    }
}
