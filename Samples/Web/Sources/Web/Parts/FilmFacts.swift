import Baton
import HTML
import StarWarsComponents

extension FilmFacts {
    /// The head of a film's page: the picture, the title, and who made it when.
    static func render(
        _ reference: FragmentReference<FilmFacts_film>, _ picture: FragmentReference<FilmPicture_film>?, _ visit: Visit
    ) -> HTML {
        guard let film = visit.environment.read(reference) else { return "" }
        let facts = labelled(film).map { fact -> HTML in "<div><dt>\(fact.label)</dt><dd>\(fact.text)</dd></div>" }
        return """
            <div class="hero">\(FilmPicture.render(picture, in: visit.environment, isLabelled: true))
            <div><p class="episode">Episode \(EpisodeNumber.roman(film.episodeNumber))</p><h1>\(film.title)</h1>
            <div class="facts">\(Stars.render(film.averageStars)) \
            \(FavoriteButton.render(film.id, film.title, isMine: film.isMine == true, visit))</div>
            <p class="synopsis" id="synopsis">\(film.synopsis)</p>
            <dl class="facts"><div><dt>Released</dt><dd><time datetime="\(film.releaseDate.description)">\
            \(film.releaseDate.inWords)</time></dd></div>
            \(facts)</dl></div></div>
            \(description(of: film))
            """
    }

    /// The same facts for search engines (schema.org).
    private static func description(of film: FilmFacts_film.Data) -> HTML {
        """
        <script type="application/ld+json">{"@context":"https://schema.org","@type":"Movie","name":\(film.title),\
        "datePublished":\(film.releaseDate.description),"director":{"@type":"Person","name":\(film.director)},\
        "description":\(film.synopsis)}</script>
        """
    }
}
