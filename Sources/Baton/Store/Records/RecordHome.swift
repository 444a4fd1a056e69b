/// The identity of a store, for operations, results and references. It has only a weak reference to the store's owner,
/// so that a held result keeps no more than its own data.
///
/// State: the owner, which is held weakly and guarded by a lock of its own.
final class RecordHome: Sendable {
    private struct Owner: Sendable {
        weak var value: (any RecordOwner)?
    }

    private let weakOwner = Guarded(Owner())

    /// The owner of the store, as long as it lives.
    var owner: (any RecordOwner)? { weakOwner.withLock { $0.value } }

    /// Sets the owner of the store.
    func setOwner(_ owner: any RecordOwner) { weakOwner.withLock { $0.value = owner } }
}
