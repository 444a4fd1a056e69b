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

    /// Creates a request. The environment creates requests, and tests of a transport can.
    public init(
        id: Int, operationName: String, kind: OperationKind, documentID: String? = nil, text: String?,
        variables: [JSONValue.Member] = []
    ) {
        self.id = id
        self.operationName = operationName
        self.kind = kind
        self.documentID = documentID
        self.text = text
        self.variables = variables
    }

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
