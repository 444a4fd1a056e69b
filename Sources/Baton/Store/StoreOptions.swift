/// How an environment's store keeps its records; the defaults are right for most apps.
public struct StoreOptions: Sendable {
    /// How many operations that nobody holds any more stay in the store, so that a screen that is opened again finds
    /// its data.
    public var releaseBufferSize: Int
    /// How long such an operation stays, on the environment's clock; nil for as long as there is room.
    ///
    /// The time begins when the last holder lets go. An operation whose newest answer is as old as that by then goes at
    /// once.
    public var expiration: Duration?
    /// The bytes that the records may need, as ``RelayEnvironment/memoryUse`` counts them; nil for no limit.
    ///
    /// Above it the operations that nobody holds go, those first that were released first, until it is met or none is
    /// left. What is held stays.
    public var memoryBudget: Int?
    /// What the schema calls the fields of connections.
    public var connectionNames: ConnectionNames
    /// Who knows where to find what a field would bring that no answer ever brought; asked in this order.
    public var missingFieldHandlers: [MissingFieldHandler]
    /// Who keeps something of fields that plans mark with `@handle`; of two with one name the first counts.
    public var fieldHandlers: [FieldHandler]
    /// What a mutation, a subscription or an update wrote after a query was sent stays when the answer of the query
    /// comes, which is older.
    public var keepsNewerFields: Bool
    /// How much the store remembers of what changed it, for ``RelayEnvironment/explain(_:field:arguments:)``.
    public var history: StoreHistory

    /// Takes the defaults for what is left out.
    public init(
        releaseBufferSize: Int = 10, expiration: Duration? = nil, memoryBudget: Int? = nil,
        connectionNames: ConnectionNames = ConnectionNames(), missingFieldHandlers: [MissingFieldHandler] = [.node],
        fieldHandlers: [FieldHandler] = [],
        keepsNewerFields: Bool = true, history: StoreHistory = StoreHistory()
    ) {
        self.releaseBufferSize = releaseBufferSize
        self.expiration = expiration
        self.memoryBudget = memoryBudget
        self.connectionNames = connectionNames
        self.missingFieldHandlers = missingFieldHandlers
        self.fieldHandlers = fieldHandlers
        self.keepsNewerFields = keepsNewerFields
        self.history = history
    }
}
