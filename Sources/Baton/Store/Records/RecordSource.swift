/// The newest version of some records, and their names: the part of a store that a reference needs.
protocol RecordSource: AnyObject, Sendable {
    /// The numbers of records, types, storage keys and shapes.
    var names: NameTable { get }
    /// The newest version.
    var records: Records { get }
}

/// The owner of a store.
protocol RecordOwner: AnyObject, Sendable {
    var source: any RecordSource { get }
}

/// What operations, results and references know of their store. It tells stores apart and does not keep them, so that
/// a held result keeps what it shows and nothing else.
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
