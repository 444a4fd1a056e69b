/// One request for the execution of an operation.
///
/// A copy of the request counts one reference.
public struct NetworkRequest: Sendable, Identifiable {
    private struct Fields: Sendable {
        let id: Int
        let operationName: String
        let kind: OperationKind
        let documentID: String?
        let text: String?
        let variables: [JSONValue.Member]
        var configuration: RequestConfiguration
        let policy: FetchPolicy?
        let fetchKey: String?
        let idempotencyKey: String?
        let isIncremental: Bool
        let sentCredentials = SentCredentials()
        var report: (@Sendable (TransportState) -> Void)?
        var artifact: GeneratedCode.OperationArtifact?
    }

    /// The object is needed because a request goes through many tasks and closures, each of which would copy some ten
    /// references.
    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var storage: Storage

    /// Creates a request. The environment creates requests, and tests of a transport can.
    public init(
        id: Int, operationName: String, kind: OperationKind, documentID: String? = nil, text: String?,
        variables: [JSONValue.Member] = [], configuration: RequestConfiguration = RequestConfiguration(),
        policy: FetchPolicy? = nil, fetchKey: String? = nil, idempotencyKey: String? = nil,
        isIncremental: Bool = false
    ) {
        storage = Storage(
            Fields(
                id: id, operationName: operationName, kind: kind, documentID: documentID, text: text,
                variables: variables, configuration: configuration, policy: policy, fetchKey: fetchKey,
                idempotencyKey: idempotencyKey, isIncremental: isIncremental))
    }

    /// A number that no other request of the same environment has. Numbers ascend in the order in which requests start.
    public var id: Int { storage.fields.id }
    /// The operation's name, as the document spells it.
    public var operationName: String { storage.fields.operationName }
    /// Query, mutation or subscription.
    public var kind: OperationKind { storage.fields.kind }
    /// The id under which the server knows the document; nil if documents have no ids.
    public var documentID: String? { storage.fields.documentID }
    /// The document to execute, fragments included; nil if only the id is sent.
    public var text: String? { storage.fields.text }
    /// The variables that were not left out, in declaration order.
    public var variables: [JSONValue.Member] { storage.fields.variables }
    /// The policy of the first handle or caller; nil for mutations and subscriptions.
    public var policy: FetchPolicy? { storage.fields.policy }
    /// The fetch key of the first handle or caller, as text; nil if there was none. A cache must not give an older
    /// response to a request with a key that the cache has not seen.
    public var fetchKey: String? { storage.fields.fetchKey }
    /// A key that stays the same when a transport sends the mutation again; nil for other operations.
    public var idempotencyKey: String? { storage.fields.idempotencyKey }
    /// True if the operation asks for later parts of its response, with `@defer` or `@stream`.
    public var isIncremental: Bool { storage.fields.isIncremental }

    /// The caller's configuration of the request: headers, uploads and context. An interceptor may change it.
    public var configuration: RequestConfiguration {
        get { storage.fields.configuration }
        set {
            var fields = storage.fields
            fields.configuration = newValue
            storage = Storage(fields)
        }
    }

    /// The place where a network notes the fields with which it sends the request. All copies of the request share it.
    package var sentCredentials: SentCredentials { storage.fields.sentCredentials }

    /// The credentials that no error and no log may repeat: those that the network has noted, and those of the caller.
    var credentials: Credentials { sentCredentials.credentials(with: configuration.headers) }

    /// What the compiler knows of the operation; nil for a request that no environment has made.
    package var artifact: GeneratedCode.OperationArtifact? { storage.fields.artifact }

    /// The same request with what the compiler knows of its operation.
    package func with(_ artifact: GeneratedCode.OperationArtifact) -> NetworkRequest {
        var fields = storage.fields
        fields.artifact = artifact
        var request = self
        request.storage = Storage(fields)
        return request
    }

    /// The same request with a closure that gets its reports.
    package func reporting(to report: @escaping @Sendable (TransportState) -> Void) -> NetworkRequest {
        var fields = storage.fields
        fields.report = report
        var request = self
        request.storage = Storage(fields)
        return request
    }

    /// Reports the state of a subscription's connection to its handles. A transport may call this method on any thread,
    /// any number of times, while the request is not over. A request that is not a subscription ignores it.
    public func report(_ state: TransportState) { storage.fields.report?(state) }

    /// The JSON body of a POST request, in UTF-8. The members are `documentId` and `query`, of which one may be
    /// missing, `operationName` unless it is empty, and `variables` if there are any (GraphQL over HTTP, section 5.4).
    public var jsonBody: [UInt8] {
        var members: [JSONValue.Member] = []
        if let documentID { members.append(.init("documentId", .string(documentID))) }
        if let text { members.append(.init("query", .string(text))) }
        if !operationName.isEmpty { members.append(.init("operationName", .string(operationName))) }
        if !variables.isEmpty { members.append(.init("variables", .object(variables))) }
        return JSONValue.object(members).jsonBytes
    }
}
