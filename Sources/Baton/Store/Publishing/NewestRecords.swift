import Synchronization

/// The newest version of the records of a store.
///
/// Every thread may copy the version and keep the copy as long as it wants. Only the thread that has the turn to
/// publish may replace the version. State: guarded by a lock of its own, which is held for a retain or for a small
/// merge in place.
final class NewestRecords: Sendable {
    private let newest: Guarded<Records>

    init(_ records: Records = Records()) { newest = Guarded(records, .records) }

    /// The version. It is copied when it changes while a thread holds it.
    var records: Records {
        #if BATON_TSAN
            var records = newest.withLock { $0 }
            records.mark = VersionMark()
            return records
        #else
            newest.withLock { $0 }
        #endif
    }

    /// Calls `body` with the version while the lock is held, without a retain.
    func look<Result>(_ body: (Records) -> sending Result) -> sending Result { newest.withLock { body($0) } }

    /// The number of the version, and the store's generation.
    var version: (epoch: Epoch, generation: Int) { newest.withLock { ($0.epoch, $0.generation) } }
    /// The number of the version.
    var epoch: Epoch { newest.withLock { $0.epoch } }

    /// Changes the version in place, or a copy of it if a thread holds it. Only the thread with the turn may call this
    /// method.
    func change<Result>(_ body: (inout Records) -> sending Result) -> sending Result {
        newest.withLock { records in
            #if BATON_TSAN
                // While a reader has a copy, nothing is changed in place, even if the reader releases the copy
                // meanwhile.
                let kept = records.isHeldOnce() ? nil : records
                defer { withExtendedLifetime(kept) {} }
                VersionMark.comeAfterReaders()
            #endif
            return body(&records)
        }
    }
}
