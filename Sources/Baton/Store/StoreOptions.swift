/// How an environment's store keeps its records; the defaults are right for most apps.
public struct StoreOptions: Sendable {
    /// How many operations that nobody holds any more stay in the store, so that a screen that is opened again finds its data.
    public var releaseBufferSize: Int
    /// What the schema calls the fields of connections.
    public var connectionNames: ConnectionNames
    /// Who knows where to find what a field would bring that no answer ever brought; asked in this order.
    public var missingFieldHandlers: [MissingFieldHandler]
    /// What a mutation, a subscription or an update wrote after a query was sent stays when the answer of the query comes, which is older.
    public var keepsNewerFields: Bool
    /// How much the store remembers of what changed it, for ``RelayEnvironment/explain(_:field:arguments:)``.
    public var history: StoreHistory

    /// Takes the defaults for what is left out.
    public init(
        releaseBufferSize: Int = 10, connectionNames: ConnectionNames = ConnectionNames(),
        missingFieldHandlers: [MissingFieldHandler] = [.node],
        keepsNewerFields: Bool = true, history: StoreHistory = StoreHistory()
    ) {
        self.releaseBufferSize = releaseBufferSize
        self.connectionNames = connectionNames
        self.missingFieldHandlers = missingFieldHandlers
        self.keepsNewerFields = keepsNewerFields
        self.history = history
    }
}
