import Baton

/// The list of films. Its query is that of the terminal sample's first screen.
struct FilmListPage: Page {
    private let visit: Visit
    private let films: QueryHandle<FilmListQuery>

    init(_ visit: Visit) {
        self.visit = visit
        films = QueryHandle<FilmListQuery>(in: visit.environment, fetchPolicy: visit.policy)
    }

    func contents() -> (title: String, body: HTML) {
        let list = HTML.showing(films.get(fetchKey: visit.key)) { data in
            let rows = data.films.nodes.map { film in
                FilmRowPart.render(film.fragments.filmRow_film, id: film.id, in: visit.environment)
            }
            return "<p><span id=\"count\">\(data.films.totalCount)</span> films</p><ol id=\"films\">\(rows)</ol>"
        }
        return ("Star Wars", "\(list)<p>\(visit.refreshLink)</p>")
    }
}
