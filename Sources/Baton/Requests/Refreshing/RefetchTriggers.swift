/// The events that make a live query handle fetch again by itself.
public struct RefetchTriggers: OptionSet, Sendable, Hashable {
    /// A bit for each trigger.
    public let rawValue: Int

    /// Makes a set of the triggers with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The shown data is invalidated: the whole store, the query, a record that it reads, or its type.
    public static let invalidation = RefetchTriggers(rawValue: 1)
    /// A component has read a field of the query that the last answer had brought, and that is missing now.
    public static let missingData = RefetchTriggers(rawValue: 2)
    /// The application has called ``RelayEnvironment/networkReturned(ifOlderThan:)``.
    public static let networkReturned = RefetchTriggers(rawValue: 4)
    /// The application has called ``RelayEnvironment/applicationReturned(ifOlderThan:)``.
    public static let applicationReturned = RefetchTriggers(rawValue: 8)
}
