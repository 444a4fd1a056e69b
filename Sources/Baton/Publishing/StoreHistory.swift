/// How much a store remembers of what changed it, for ``RelayEnvironment/explain(_:field:arguments:)``.
public struct StoreHistory: Sendable, Hashable {
    /// The number of publishes of which the store knows who made them.
    public var publishes: Int
    /// True to remember for each field when it changed last, and not only for each record. It takes some 50 bytes for
    /// each field that changes, so it is for debugging.
    public var fields: Bool

    /// Takes the defaults for what is left out.
    public init(publishes: Int = 256, fields: Bool = false) {
        self.publishes = max(publishes, 0)
        self.fields = fields
    }
}
