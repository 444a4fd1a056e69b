import Baton

/// One film in the list.
enum FilmRowPart {
    static func render(_ film: FragmentReference<FilmRow_film>, id: String, in environment: RelayEnvironment) -> HTML {
        guard let film = environment.read(film) else { return "" }
        let stars: HTML = film.averageStars.map { "<span class=\"stars\">\($0)</span>" } ?? ""
        return """
            <li value="\(film.episodeNumber)"><a href="\(HTML.path("films", id))">\(film.title)</a> \
            <time>\(film.releaseDate)</time> \(film.director) \(stars)\(film.isFavorite ? " &#9733;" : "")</li>
            """
    }
}
