/// The reason why an operation is stale.
package enum StaleCause: Sendable, Hashable {
    /// The whole store was invalidated after the fetch.
    case store
    /// The operation was invalidated: by itself, or together with every operation of its query.
    case operation
    /// A record that the operation reads was invalidated.
    case record(RecordID)
    /// All records of a type were invalidated; the operation reads this one.
    case type(TypeID, RecordID)
    /// Data is older than its limit. The place is that of the field with the limit; nil for the limit of the whole
    /// operation.
    case tooOld(MissingPlace?, age: Duration, limit: Duration)
}

extension StaleCause {
    /// Makes the cause `operation` if the operation itself was invalidated after its last fetch; otherwise nil.
    init?(of operation: BoundOperation, _ fetch: FetchRecord?, in records: Records) {
        let last = records.invalidations.last(of: operation.key)
        guard last > 0 && (fetch?.epoch ?? 0) < last || fetch?.isRevoked == true else { return nil }
        self = .operation
    }
}
