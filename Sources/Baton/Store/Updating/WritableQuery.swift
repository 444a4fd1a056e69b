/// A query with `@updatable`. Updates write its fields through a struct with setters. Nothing is sent for it.
public protocol WritableQuery: Sendable {
    /// A struct with one property for each variable, in declaration order.
    associatedtype Variables: GeneratedCode.Variables
    /// The struct with the setters.
    associatedtype Writable: GeneratedCode.WritableSelections

    /// The query's name and plans.
    static var artifact: GeneratedCode.OperationArtifact { get }

    /// The values of the variables.
    var variables: Variables { get }

    /// Takes the values of the variables.
    init(variables: Variables)
}

extension WritableQuery where Variables == GeneratedCode.NoVariables {
    /// Makes a query without variables.
    public init() { self.init(variables: GeneratedCode.NoVariables()) }
}
