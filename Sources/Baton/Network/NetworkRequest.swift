/// One request for the execution of an operation.
public struct NetworkRequest: Sendable, Identifiable {
    /// A number that no other request of the same environment has. Numbers ascend in the order in which requests start.
    public let id: Int
    /// The operation's name, as the document spells it.
    public let operationName: String
    /// Query, mutation or subscription.
    public let kind: OperationKind
    /// The id under which the server knows the document; nil if documents have no ids.
    public let documentID: String?
    /// The document to execute, fragments included; nil if only the id is sent.
    public let text: String?
    /// The variables that were not left out, in declaration order.
    public let variables: [JSONValue.Member]
    /// What the caller says about the request: headers, uploads and context. An interceptor may change it.
    public var configuration: RequestConfiguration
    /// The policy of the first handle or caller; nil for mutations and subscriptions.
    public let policy: FetchPolicy?
    /// The fetch key of the first handle or caller, as text; nil if there was none. A cache of answers must not answer
    /// a request whose key it has not seen with an older answer.
    public let fetchKey: String?
    /// A key that stays the same when a transport sends the mutation again; nil for other operations.
    public let idempotencyKey: String?
    /// True if the operation asks for later parts of its answer, with `@defer` or `@stream`.
    public let isIncremental: Bool
    private var report: (@Sendable (TransportState) -> Void)?

    /// Creates a request. The environment creates requests, and tests of a transport can.
    public init(
        id: Int, operationName: String, kind: OperationKind, documentID: String? = nil, text: String?,
        variables: [JSONValue.Member] = [], configuration: RequestConfiguration = RequestConfiguration(),
        policy: FetchPolicy? = nil, fetchKey: String? = nil, idempotencyKey: String? = nil,
        isIncremental: Bool = false
    ) {
        self.id = id
        self.operationName = operationName
        self.kind = kind
        self.documentID = documentID
        self.text = text
        self.variables = variables
        self.configuration = configuration
        self.policy = policy
        self.fetchKey = fetchKey
        self.idempotencyKey = idempotencyKey
        self.isIncremental = isIncremental
    }

    /// The same request, whose reports a closure gets.
    package func reporting(to report: @escaping @Sendable (TransportState) -> Void) -> NetworkRequest {
        var request = self
        request.report = report
        return request
    }

    /// Tells the handles of a subscription about its connection. A transport may call this on any thread, any number of
    /// times, while the request is not over. A request that is not a subscription ignores it.
    public func report(_ state: TransportState) { report?(state) }

    /// The JSON body of a POST request, in UTF-8: `documentId` and `query`, of which one may be missing,
    /// `operationName`, and `variables` where there are any (GraphQL over HTTP, section 5.4).
    public var jsonBody: [UInt8] {
        var members: [JSONValue.Member] = []
        if let documentID { members.append(.init("documentId", .string(documentID))) }
        if let text { members.append(.init("query", .string(text))) }
        members.append(.init("operationName", .string(operationName)))
        if !variables.isEmpty { members.append(.init("variables", .object(variables))) }
        return JSONValue.object(members).jsonBytes
    }
}
