@testable import Baton

typealias FilmRow_film = Films.FilmRow

// The component of the guide 'Rendering by tracking', which quotes it from here to the end. Only the name of the row's
// fragment is that of generated code.

actor FilmRows {
    private var rows = RenderedFragments<FilmRow_film, Int, String> { film, width in
        let badge = film.data?.favourite == true ? "* " : "  "
        return String((badge + (film.data?.title ?? "...")).prefix(width))
    }
    private var films: [FragmentReference<FilmRow_film>] = []
    private let environment: RelayEnvironment
    private let show: @Sendable ([String]) -> Void

    init(in environment: RelayEnvironment, show: @escaping @Sendable ([String]) -> Void) {
        (self.environment, self.show) = (environment, show)
    }

    func draw(_ films: [FragmentReference<FilmRow_film>]) {
        self.films = films
        rows.show(films, in: environment)
        show(rows.frames(80, on: self) { $0.draw($0.films) })
    }
}
