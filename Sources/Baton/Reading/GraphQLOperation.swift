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

/// A query, which a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {}

/// A mutation, which `RelayEnvironment.commit` executes.
public protocol GraphQLMutation: GraphQLOperation {}

/// A subscription, whose answers arrive as events.
public protocol GraphQLSubscription: GraphQLOperation {}
