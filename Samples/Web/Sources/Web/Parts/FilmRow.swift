import Baton
import HTML
import StarWarsComponents

extension FilmRow {
    /// A film in a list: its picture, its title, and the facts that one chooses by.
    static func render(
        _ reference: FragmentReference<FilmRow_film>, _ picture: FragmentReference<FilmPicture_film>?, _ visit: Visit
    ) -> HTML {
        guard let film = visit.environment.read(reference) else { return "" }
        let address = WebAddress("films", film.id)
        return """
            <li class="film"><div class="cover">\(FilmPicture.render(picture, in: visit.environment))</div>
            <div class="caption"><p class="episode">Episode \(EpisodeNumber.roman(film.episodeNumber))</p>
            <h3><a href="\(address)">\(film.title)</a></h3>
            <p class="facts">\(film.releaseDate.year) \(Stars.render(film.averageStars))</p>\
            \(FavoriteButton.render(film.id, film.title, isMine: film.isMine == true, visit))</div></li>
            """
    }
}
