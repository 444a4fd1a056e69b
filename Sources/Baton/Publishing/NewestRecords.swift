import Synchronization

/// The newest version of the records of a store.
///
/// Every thread may take it, and go on with it as long as it wants. Only who has the turn to publish puts another in
/// its place. State: guarded by a lock of its own, which is held for a retain, or for a small merge in place.
final class NewestRecords: Sendable {
    private let newest = Guarded(Records(), .records)

    /// The version, which is copied when it is changed while somebody holds it.
    var records: Records {
        #if BATON_TSAN
            var records = newest.withLock { $0 }
            records.mark = VersionMark()
            return records
        #else
            newest.withLock { $0 }
        #endif
    }

    /// Looks at the version without holding it. Others wait meanwhile.
    func look<Result>(_ body: (Records) -> sending Result) -> sending Result { newest.withLock { body($0) } }

    /// The number of the version, and how often the store was emptied before it.
    var version: (epoch: Epoch, generation: Int) { newest.withLock { ($0.epoch, $0.generation) } }
    /// The number of the version.
    var epoch: Epoch { newest.withLock { $0.epoch } }

    /// Changes the version in place, or a copy of it if somebody holds it: for those who have the turn.
    func change<Result>(_ body: (inout Records) -> sending Result) -> sending Result { newest.withLock { body(&$0) } }
}
