/// A query, mutation or subscription that the compiler generated from a document.
///
/// A value is one call: the static artifact together with the values of the variables.
public protocol GraphQLOperation: Sendable, Hashable {
    /// The struct of the fields that the operation selects.
    associatedtype Data: GeneratedCode.Selections
    /// A struct with one property for each variable, in declaration order.
    associatedtype Variables: GraphQLVariables

    /// The operation's name, text and plans.
    static var artifact: GeneratedCode.OperationArtifact { get }

    /// The values of the variables in this call.
    var variables: Variables { get }

    /// Makes a call with these values of the variables.
    init(variables: Variables)
}

extension GraphQLOperation {
    /// Compares the variables.
    public static func == (left: Self, right: Self) -> Bool { left.variables == right.variables }

    /// Hashes the variables.
    public func hash(into hasher: inout Hasher) { hasher.combine(variables) }
}

extension GraphQLOperation where Variables == GeneratedCode.NoVariables {
    /// Makes a call of an operation without variables.
    public init() { self.init(variables: GeneratedCode.NoVariables()) }
}

/// A query, which a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {}

/// A mutation, which `RelayEnvironment.commit` executes.
public protocol GraphQLMutation: GraphQLOperation {}

/// A subscription, whose answers arrive as events.
public protocol GraphQLSubscription: GraphQLOperation {}
