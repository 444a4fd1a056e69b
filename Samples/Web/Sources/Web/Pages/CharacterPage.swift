import Baton
import HTML

/// One character: facts, films and friends.
struct CharacterPage: Page {
    private static let query = graphql(
        """
        query CharacterPageQuery($id: ID!) {
          character(id: $id) {
            name
            ...CharacterFacts_character
            films {
              edges {
                node {
                  ...FilmCard_film
                }
              }
            }
            friends {
              edges {
                node {
                  ...CharacterRow_character
                }
              }
            }
          }
        }
        """
    )

    let id: String

    var queries: [any GraphQLQuery] { [CharacterPageQuery(id: id)] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let result = QueryHandle<CharacterPageQuery>.inStore(of: visit).get(id: id)
        guard let character = try result.shown().character else {
            throw visit.hasHoles
                ? PageError(RelayError.noData([]).publicAnswer) : .notFound("There is nobody of that name.")
        }
        let films = character.films.nodes.map { FilmCard.render($0.fragments.filmCard_film, visit) }
        let friends = character.friends.nodes.map { CharacterRow.render($0.fragments.characterRow_character, visit) }
        let circle: HTML =
            friends.isEmpty
            ? ""
            : "<section aria-labelledby=\"friends\"><h2 id=\"friends\">Friends</h2><ul class=\"characters\">\(friends)</ul></section>"
        return Content(
            title: character.name, description: "Who \(character.name) is, and the films with \(character.name).",
            body: """
                \(CharacterFacts.render(character.fragments.characterFacts_character, visit))\(circle)
                <section aria-labelledby="appears"><h2 id="appears">Appears in</h2>
                <ul class="films small">\(films)</ul></section>\(Notice.holes(visit))
                """)
    }
}
