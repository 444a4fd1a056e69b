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
