import Baton
import StarWarsComponents

/// The mark of a favourite film.
enum FilmFavorite {
    /// Sets the mark or takes it off. It is shown before the answer, and taken back if there is none.
    @MainActor
    static func set(_ isFavorite: Bool, of id: String, in app: App) {
        let expected: JSONValue = ["favoriteFilm": ["film": ["id": .string(id), "isFavorite": .bool(isFavorite)]]]
        let input = FavoriteFilmInput(filmId: id, isFavorite: isFavorite)
        app.commit(
            FilmFavoriteMutation(input: input), optimistic: expected, failure: "The favourite was taken back")
    }
}
