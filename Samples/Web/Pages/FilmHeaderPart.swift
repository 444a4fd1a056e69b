import Baton

/// The facts of a film.
enum FilmHeaderPart {
    static func render(_ film: FragmentReference<FilmHeader_film>, in environment: RelayEnvironment) -> HTML {
        guard let film = environment.read(film) else { return "" }
        let stars: HTML = film.averageStars.map { "<p><span id=\"stars\">\($0)</span>/5</p>" } ?? ""
        return """
            <p>Episode \(film.episodeNumber), <time>\(film.releaseDate)</time></p>\(stars)
            <p id="synopsis">\(film.synopsis)</p>
            <p>Directed by \(film.director), produced by \(film.producers.joined(separator: ", "))</p>
            """
    }
}
