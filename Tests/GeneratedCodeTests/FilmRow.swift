import Baton

/// A child component: a row that shows one film, and counts how often it is drawn.
actor FilmRow {
    private static let document = graphql(
        """
        fragment FilmRow_film on Film {
          title
          released
        }
        """)

    private let film: FragmentHandle<FilmRow_film>
    private(set) var titles: [String?] = []

    init(_ reference: FragmentReference<FilmRow_film>, in environment: RelayEnvironment) {
        film = FragmentHandle(reference, in: environment)
    }

    func start() {
        film.observe(on: self) { row, result in row.titles.append(result.data?.title) }
    }

    /// The errors of the row's own fields.
    var errors: [GraphQLError] { film.errors }
}
