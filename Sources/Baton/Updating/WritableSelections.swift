extension GeneratedCode {
    /// What a generated struct conforms to that updates write through: properties with setters instead of field names
    /// as text.
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
        /// Stands on a record.
        init(_ place: WritablePlace)
    }
}

/// A fragment with `@updatable`: updates write what it selects through a struct with setters.
public protocol WritableFragment: GraphQLFragment {
    /// The struct with the setters.
    associatedtype Writable: GeneratedCode.WritableSelections
}

/// A query with `@updatable`: updates write what it selects through a struct with setters.
public protocol WritableQuery: GraphQLQuery {
    /// The struct with the setters.
    associatedtype Writable: GeneratedCode.WritableSelections
}
