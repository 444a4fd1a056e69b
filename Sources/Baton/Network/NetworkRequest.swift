/// One request for the execution of an operation.
public struct NetworkRequest: Sendable, Identifiable {
    /// A number that no other request of the same environment has. Numbers ascend in the order in which requests start.
    public let id: Int
    /// The operation's name, as the document spells it.
    public let operationName: String
    /// Query, mutation or subscription.
    public let kind: OperationKind
    /// The document to execute, fragments included.
    public let text: String
    /// The variables that were not left out, in declaration order.
    public let variables: [JSONValue.Member]

    /// Creates a request. The environment creates requests, and tests of a transport can.
    public init(id: Int, operationName: String, kind: OperationKind, text: String, variables: [JSONValue.Member] = []) {
        self.id = id
        self.operationName = operationName
        self.kind = kind
        self.text = text
        self.variables = variables
    }

    /// The JSON body of a POST request, in UTF-8: `query`, `operationName`, and `variables` where there are any
    /// (GraphQL over HTTP, section 5.4).
    public var jsonBody: [UInt8] {
        var members: [JSONValue.Member] = [
            .init("query", .string(text)),
            .init("operationName", .string(operationName)),
        ]
        if !variables.isEmpty { members.append(.init("variables", .object(variables))) }
        return JSONValue.object(members).jsonBytes
    }
}
