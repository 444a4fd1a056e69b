import Baton
import HTML

/// The head of a film's page: the picture, the title, and who made it when.
enum FilmFacts {
    private static let fragment = graphql(
        """
        fragment FilmFacts_film on Film {
          id
          title
          episodeNumber
          releaseDate
          director
          producers
          synopsis
          averageStars
          isMine
          ...FilmPoster_film
        }
        """
    )

    static func render(_ reference: FragmentReference<FilmFacts_film>, _ visit: Visit) -> HTML {
        guard let film = visit.environment.read(reference) else { return "" }
        return """
            <div class="hero">\(FilmPoster.render(film.fragments.filmPoster_film, in: visit.environment, isLabelled: true))
            <div><p class="episode">Episode \(Numeral.roman(film.episodeNumber))</p><h1>\(film.title)</h1>
            <p class="facts">\(Stars.render(film.averageStars)) \
            \(FavoriteButton.render(film.id, film.title, isMine: film.isMine == true, visit))</p>
            <p class="synopsis" id="synopsis">\(film.synopsis)</p>
            <dl class="facts"><div><dt>Released</dt><dd><time datetime="\(film.releaseDate)">\
            \(ReleaseDate.words(film.releaseDate))</time></dd></div>
            <div><dt>Directed by</dt><dd>\(film.director)</dd></div>
            <div><dt>Produced by</dt><dd>\(film.producers.joined(separator: ", "))</dd></div></dl></div></div>
            \(description(of: film))
            """
    }

    /// The same facts for search engines (schema.org).
    private static func description(of film: FilmFacts_film.Data) -> HTML {
        """
        <script type="application/ld+json">{"@context":"https://schema.org","@type":"Movie","name":\(film.title),\
        "datePublished":\(film.releaseDate),"director":{"@type":"Person","name":\(film.director)},\
        "description":\(film.synopsis)}</script>
        """
    }
}
