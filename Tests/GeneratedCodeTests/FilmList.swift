import Baton

private let query = graphql(
    """
    query FilmListQuery($first: Int = 10) {
      allFilms(first: $first) { edges { node { id ...FilmRow_film } } }
    }
    """)

/// A component on an actor of its own, with a handle that it draws from.
actor FilmList {
    private(set) var pictures: [String] = []
    private let films: QueryHandle<FilmListQuery>

    init(_ films: QueryHandle<FilmListQuery>) {
        self.films = films
    }

    func start() -> ObservationToken {
        films.observe(on: self) { list, _ in list.redraw() }
    }

    func redraw() {
        let picture =
            switch films.result {
            case .loading: "loading"
            case .failure(let error): "failed: \(error)"
            case .success(let data): "\(data?.allFilms.edges.count ?? 0) films"
            }
        pictures.append(films.isFetching ? picture + ", fetching" : picture)
    }
}
