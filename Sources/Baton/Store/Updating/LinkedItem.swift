/// A record, null, or a list of such items: the value of a field with links at any level.
public indirect enum LinkedItem: Hashable {
    /// Null, or a deleted record.
    case null
    /// One record.
    case record(RecordProxy)
    /// A list.
    case list([LinkedItem])
}
