/// The options of an environment's store; the defaults suit most apps.
public struct StoreOptions: Sendable {
    /// The number of released operations that stay in the store, so that a screen that is opened again finds its data.
    public var releaseBufferSize: Int
    /// The time for which a released operation stays, on the environment's clock; nil for no limit.
    ///
    /// The time begins when the last holder releases the operation. If the operation's newest response is already older
    /// than that, the operation is dropped at once.
    public var expiration: Duration?
    /// The greatest memory of the records in bytes, as ``RelayEnvironment/memoryUse`` counts them; nil for no limit.
    ///
    /// Above the limit released operations are dropped, the longest released first, until the limit is met or none is
    /// left. Operations that are held stay.
    public var memoryBudget: Int?
    /// The greatest memory of one read result in bytes. A read that needs more fails with
    /// ``RelayError/resultTooLarge(component:limit:)``.
    ///
    /// A result shows a record once for each path that leads to it. Lists that link to each other's records have very
    /// many paths: with 1,000 links each, three nested lists show 1,000,000,000 objects of a few thousand records. A
    /// size of more than 8 GB counts as 8 GB.
    public var resultSize: Int
    /// The schema's names for the fields of connections.
    public var connectionNames: StoreOptions.ConnectionNames
    /// The handlers that may find values of missing fields in the store; they are called in this order.
    public var missingFieldHandlers: [MissingFieldHandler]
    /// The handlers of fields that plans mark with `@handle`; of two handlers with the same name the first counts.
    public var fieldHandlers: [FieldHandler]
    /// True to keep the data that a mutation, a subscription or an update wrote after a query was sent: the query's
    /// response is older and does not overwrite the data.
    public var keepsNewerFields: Bool
    /// The greatest size of a response that arrives in parts.
    public var incrementalLimits: StoreOptions.IncrementalLimits
    /// The size of the store's memory of changes, for ``RelayEnvironment/explain(_:field:arguments:)``.
    public var history: StoreOptions.History

    /// The greatest number of words of a result. A word refers to another word with 31 bits.
    var resultWords: Int { min(max(0, resultSize) / 4, Int(Int32.max)) }

    /// 256 MiB, which is enough for 10,000,000 objects with some fields.
    public static let defaultResultSize = NameTable.defaultResultWords * 4

    /// Creates options; omitted arguments have their defaults.
    public init(
        releaseBufferSize: Int = 10, expiration: Duration? = nil, memoryBudget: Int? = nil,
        resultSize: Int = defaultResultSize,
        connectionNames: StoreOptions.ConnectionNames = StoreOptions.ConnectionNames(),
        missingFieldHandlers: [MissingFieldHandler] = [.node], fieldHandlers: [FieldHandler] = [],
        keepsNewerFields: Bool = true,
        incrementalLimits: StoreOptions.IncrementalLimits = StoreOptions.IncrementalLimits(),
        history: StoreOptions.History = StoreOptions.History()
    ) {
        self.releaseBufferSize = releaseBufferSize
        self.expiration = expiration
        self.memoryBudget = memoryBudget
        self.resultSize = resultSize
        self.connectionNames = connectionNames
        self.missingFieldHandlers = missingFieldHandlers
        self.fieldHandlers = fieldHandlers
        self.keepsNewerFields = keepsNewerFields
        self.incrementalLimits = incrementalLimits
        self.history = history
    }
}
