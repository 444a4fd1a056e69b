import Baton
import HTML

/// A film in a list: its picture, its title, and the facts that one chooses by.
enum FilmCard {
    private static let fragment = graphql(
        """
        fragment FilmCard_film on Film {
          id
          title
          episodeNumber
          releaseDate
          averageStars
          isMine
          ...FilmPoster_film
        }
        """
    )

    static func render(_ reference: FragmentReference<FilmCard_film>, _ visit: Visit) -> HTML {
        guard let film = visit.environment.read(reference) else { return "" }
        let address = WebAddress("films", film.id)
        return """
            <li class="film"><a class="cover" href="\(address)" tabindex="-1" aria-hidden="true">\
            \(FilmPoster.render(film.fragments.filmPoster_film, in: visit.environment))</a>
            <div class="caption"><p class="episode">Episode \(Numeral.roman(film.episodeNumber))</p>
            <h2><a href="\(address)">\(film.title)</a></h2>
            <p class="facts">\(ReleaseDate.year(film.releaseDate)) \(Stars.render(film.averageStars))</p>\
            \(FavoriteButton.render(film.id, film.title, isMine: film.isMine == true, visit))</div></li>
            """
    }
}
