/// A query, mutation or subscription that the compiler generated from a document.
///
/// A value is one call: the static artifact together with the values of the variables. The struct is `Hashable`.
public protocol GraphQLOperation: Sendable {
    /// The struct of the fields that the operation selects.
    associatedtype Data: GeneratedCode.Selections
    /// A struct with one property for each variable, in declaration order.
    associatedtype Variables: GeneratedCode.Variables, Hashable

    /// The operation's name, text and plans.
    static var artifact: GeneratedCode.OperationArtifact { get }

    /// The values of the variables in this call.
    var variables: Variables { get }

    /// Makes a call with these values of the variables.
    init(variables: Variables)
}

extension GraphQLOperation {
    /// Compares the variables.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.variables == right.variables }

    /// Hashes the variables.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { hasher.combine(variables) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { variables.hashValue }
}

extension GraphQLOperation where Variables == GeneratedCode.NoVariables {
    /// Makes a call of an operation without variables.
    public init() { self.init(variables: GeneratedCode.NoVariables()) }
}

extension GeneratedCode {
    /// The format of a query whose response is one payload.
    public enum SingleResponse {}

    /// The format of a query whose response may have several payloads.
    public enum IncrementalResponse {}
}

/// A query whose response may have several payloads, because its document has `@defer`, `@stream` or
/// `@stream_connection`. ``RelayEnvironment/fetchStream(_:policy:configuration:)`` fetches the query and returns a
/// response for each payload.
public protocol GraphQLIncrementalQuery: GraphQLQuery where ResponseFormat == GeneratedCode.IncrementalResponse {}

/// A query, which a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {
    /// The format of the response: one payload or several. It decides whether `fetch` or `fetchStream` takes the query.
    associatedtype ResponseFormat = GeneratedCode.SingleResponse
}

/// A mutation, which `RelayEnvironment.commit` executes.
public protocol GraphQLMutation: GraphQLOperation {}

/// A subscription, whose responses arrive as events.
public protocol GraphQLSubscription: GraphQLOperation {}
