/// A request and the components that asked for it, for reports on rendering.
public struct AskedRequest: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The number of the request, as in ``NetworkRequest/id``. A negative number stands for a commit that waits in its
    /// queue and has no request yet.
    public let id: Int
    /// The operation's name as the document spells it.
    public let operationName: String
    /// Query, mutation or subscription.
    public let kind: OperationKind
    /// The components whose handles asked for the request or joined it, each once, in that order. A component is the
    /// name of a query, or the name of the fragment of a handle that refetches or loads pages. The operation's own name
    /// stands for a caller without a handle.
    public let components: [String]

    init(_ request: RequestExecution) {
        id = request.network.id
        operationName = request.network.operationName
        kind = request.network.kind
        components = request.components
    }

    init(_ turn: SerialTurn) {
        (id, operationName, kind) = (-turn.number, turn.operationName, .mutation)
        components = [turn.operationName]
    }

    /// The operation, followed by its components if they differ: `FilmsPageQuery by Films_list`.
    public var description: String {
        components.isEmpty || components == [operationName]
            ? operationName : "\(operationName) by \(components.joined(separator: ", "))"
    }
}
