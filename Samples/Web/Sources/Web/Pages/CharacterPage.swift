import Baton
import HTML
import StarWarsComponents

/// One character: facts, films and friends.
struct CharacterPage: Page {
    let id: String

    private var query: CharacterDetailQuery { CharacterDetailQuery(id: id, withPictures: true) }

    var queries: [any GraphQLQuery] { [query] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let result = QueryHandle<CharacterDetailQuery>.inStore(of: visit).get(query.variables)
        guard let character = try result.shown().character else {
            throw visit.hasHoles
                ? PageError(RelayError.noData([]).publicFailure) : .notFound("There is nobody of that name.")
        }
        let films = character.films.nodes.map {
            FilmRow.render($0.fragments.filmRow_film, $0.fragments.filmPicture_film, visit)
        }
        let affiliations = character.affiliations.compactMap {
            visit.environment.read($0.fragments.affiliationRow_affiliation)
        }
        let friends = character.friends.nodes.map { CharacterRow.render($0.fragments.characterRow_character, visit) }
        let circle: HTML =
            friends.isEmpty
            ? ""
            : "<section aria-labelledby=\"friends\"><h2 id=\"friends\">Friends</h2><ul class=\"characters\">\(friends)</ul></section>"
        let facts = CharacterFacts.render(
            character.fragments.characterFacts_character, affiliations: affiliations, visit)
        return Content(
            title: character.name, description: "Who \(character.name) is, and the films with \(character.name).",
            body: """
                \(facts)\(circle)
                <section aria-labelledby="appears"><h2 id="appears">Appears in</h2>
                <ul class="films small\(Self.columns(films.count))">\(films)</ul></section>\(Notice.holes(visit))
                """)
    }

    /// The columns on a wide screen, so that no film stands in a row alone.
    private static func columns(_ count: Int) -> String {
        switch count {
        case 4, 7, 8: " by-four"
        case 5, 9, 10: " by-five"
        default: ""
        }
    }
}
