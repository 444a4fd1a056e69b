/// GraphQL that was written in a Swift source, for the compiler to find.
///
/// The value itself does nothing: `baton compile` reads the literal out of the source and generates the types.
public struct GraphQLDocument: Sendable {
    /// The text as it stands in the source.
    public let text: StaticString
}

/// Marks a string literal as a GraphQL document, so that the declaration stands beside the component that uses it.
///
///     private let query = graphql(
///         """
///         query FilmListQuery($first: Int = 10) {
///           allFilms(first: $first) { edges { node { id ...FilmRow_film } } }
///         }
///         """)
///
/// The argument is one literal without interpolation, raw or not. In `FilmList.swift` the names of operations and
/// fragments begin with `FilmList`.
public func graphql(_ text: StaticString) -> GraphQLDocument {
    GraphQLDocument(text: text)
}
