extension GeneratedCode {
    /// A generated struct through which updates write: it has properties with setters, so that no field names are
    /// written as text.
    ///
    ///     public struct HeroName_hero: GeneratedCode.WritableSelections {
    ///         private let place: GeneratedCode.WritablePlace
    ///         public init(_ place: GeneratedCode.WritablePlace) { self.place = place }
    ///
    ///         public var name: String? {
    ///             get { place.string(0) }
    ///             nonmutating set { place.set(0, newValue) }
    ///         }
    ///     }
    public protocol WritableSelections {
        /// Wraps a record.
        init(_ place: WritablePlace)
    }
}

/// A fragment with `@updatable`. Updates write its fields through a struct with setters.
public protocol WritableFragment: GraphQLFragment {
    /// The struct with the setters.
    associatedtype Writable: GeneratedCode.WritableSelections
}

/// A query with `@updatable`. Updates write its fields through a struct with setters. Nothing is sent for it.
public protocol WritableQuery: Sendable {
    /// A struct with one property for each variable, in declaration order.
    associatedtype Variables: GraphQLVariables
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
