extension GeneratedCode {
    /// A GraphQL document that was written in a Swift source, where the compiler finds it.
    ///
    /// The value does nothing at run time: `baton compile` reads the literal from the source and generates the types.
    public struct Document: Sendable {
        /// The text as it stands in the source.
        public let text: StaticString
    }
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
///
/// The types exist after `baton compile` has run: `cannot find type 'FilmListQuery' in scope` means that it has not run
/// since the document was written. The compiler reads the sources, not the program. It finds a document in a call of
/// the function `graphql` without an argument label, and in no call of another function.
///
/// A fragment's fields belong to the component that declares the fragment. Where `...FilmRow_film` is spread,
/// `value of type 'FilmListQuery.Data.AllFilms.Edge.Node' has no member 'title'` means that `title` is the fragment's:
/// read it by the reference `node.fragments.filmRow_film`, or select it beside the spread too.
public func graphql(_ text: StaticString) -> GeneratedCode.Document {
    GeneratedCode.Document(text: text)
}
