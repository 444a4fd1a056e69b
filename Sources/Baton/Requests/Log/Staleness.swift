/// The reason why complete data is not valid.
public enum Staleness: Sendable, Hashable {
    /// The whole store was invalidated after the fetch.
    case storeInvalidated
    /// The operation was invalidated: by itself, or together with every operation of its query.
    case operationInvalidated
    /// A record that the operation reads was invalidated.
    case recordInvalidated(DataID)
    /// All records of a type were invalidated; the operation reads this one.
    case typeInvalidated(TypeName, DataID)
    /// Data is older than its limit. The place is that of the field with the limit; nil for the limit of the whole
    /// operation.
    case tooOld(FieldLocation?, age: Duration, limit: Duration)
}
