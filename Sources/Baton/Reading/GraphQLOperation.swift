/// A query, mutation or subscription that the compiler generated from a document.
///
/// A value is one call: the static artifact together with values for the variables.
public protocol GraphQLOperation: Sendable, Hashable {
    /// What the operation selects, as the compiler saw it.
    associatedtype Data: GeneratedCode.Selections
    /// One property for each variable, in declaration order.
    associatedtype Variables: GraphQLVariables

    /// The name, text and plans of the operation.
    static var artifact: GeneratedCode.OperationArtifact { get }

    /// The values of this call.
    var variables: Variables { get }

    /// Makes a call with these values.
    init(variables: Variables)
}

/// An operation that reads, and that a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {}

/// An operation that writes on the server, executed with `RelayEnvironment.commit`.
public protocol GraphQLMutation: GraphQLOperation {}

/// An operation whose answers come as events.
public protocol GraphQLSubscription: GraphQLOperation {}

/// A named part of a selection set that a component reads by itself.
public protocol GraphQLFragment: Sendable {
    /// What the fragment selects.
    associatedtype Data: GeneratedCode.Selections

    /// The name, type condition and plan of the fragment.
    static var artifact: GeneratedCode.FragmentArtifact { get }
}
