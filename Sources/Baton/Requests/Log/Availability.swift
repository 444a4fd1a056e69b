/// A statement about how much of a query's data a store holds, from ``RelayEnvironment/check(_:)``.
public enum Availability: Sendable, Hashable {
    /// The store holds all of the data, and all is valid. `age` is the time since the fetch of the oldest part; nil if
    /// no response is known to have brought any part.
    case available(age: Duration?)
    /// The store holds all of the data, but a part was invalidated after its fetch or is older than its age limit.
    case stale(Staleness)
    /// The store lacks a part of the data. The location is that of the first missing field.
    case missing(FieldLocation)
}

extension Availability {
    /// True if the store holds all of the data, and all is valid.
    public var isAvailable: Bool {
        if case .available = self { true } else { false }
    }

    /// The reason why the data is stale; nil if it is not.
    public var staleness: Staleness? {
        if case .stale(let reason) = self { reason } else { nil }
    }
}

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
