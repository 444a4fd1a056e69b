/// A GraphQL document that was written in a Swift source, where the compiler finds it.
///
/// The value does nothing at run time: `baton compile` reads the literal from the source and generates the types.
public struct GraphQLDocument: Sendable {
    /// The text as it stands in the source.
    public let text: StaticString
}

/// Marks a string literal as a GraphQL document, so that it can stand beside the component that uses it.
///
///     private let query = graphql(
///         """
///         query FilmListQuery($first: Int = 10) {
///           allFilms(first: $first) { edges { node { id ...FilmRow_film } } }
///         }
///         """)
///
/// The argument must be one literal without interpolation; a raw literal is allowed. In `FilmList.swift` the names of
/// operations and fragments must begin with `FilmList`.
public func graphql(_ text: StaticString) -> GraphQLDocument {
    GraphQLDocument(text: text)
}
