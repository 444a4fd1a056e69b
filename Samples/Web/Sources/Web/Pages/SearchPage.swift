import Baton
import HTML

/// Whatever has the searched text in its name or title.
struct SearchPage: Page {
    private static let query = graphql(
        """
        query SearchPageQuery($text: String!) {
          search(text: $text, first: 40) {
            __typename
            ... on Film {
              ...FilmCard_film
            }
            ... on Character {
              ...CharacterRow_character
            }
            ... on Planet {
              name
              climate
            }
            ... on Species {
              name
              classification
            }
            ... on Starship {
              name
              model
            }
          }
        }
        """
    )

    let text: String

    init(_ text: String?) { self.text = String((text ?? "").prefix(100)) }

    private var isAsking: Bool { text.contains { !$0.isWhitespace } }

    var queries: [any GraphQLQuery] { isAsking ? [SearchPageQuery(text: text)] : [] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let found = isAsking ? try groups(visit) : ("<p class=\"empty\">Type a name, a title, or a part of one.</p>", 0)
        let title = isAsking ? "Search for \u{201C}\(text)\u{201D}" : "Search"
        return Content(
            title: title, description: "What the saga knows of a name.",
            body: """
                <h1>\(title)</h1><search><form class="search wide" action="\(WebAddress("search"))">
                <label for="q">Name or title</label><input id="q" name="q" type="search" maxlength="100" value="\(text)">\
                <button>Search</button></form></search>
                <p class="count" id="found">\(isAsking ? "\(found.1) found" : "")</p>\(found.0)\(Notice.holes(visit))
                """)
    }

    private func groups(_ visit: Visit) throws(PageError) -> (HTML, Int) {
        let results = try QueryHandle<SearchPageQuery>.inStore(of: visit).get(text: text).shown().search
        var (films, characters, others): ([HTML], [HTML], [HTML]) = ([], [], [])
        for result in results {
            if let film = result.asFilm {
                films.append(FilmCard.render(film.fragments.filmCard_film, visit))
            } else if let character = result.asCharacter {
                characters.append(CharacterRow.render(character.fragments.characterRow_character, visit))
            } else if let name = result.asPlanet?.name ?? result.asSpecies?.name ?? result.asStarship?.name {
                let facts =
                    result.asPlanet?.climate ?? result.asSpecies?.classification ?? result.asStarship?.model ?? ""
                others.append("<li><b>\(name)</b> \(facts)</li>")
            }
        }
        if results.isEmpty { return ("<p class=\"empty\">Nothing of that name. Try a part of it.</p>", 0) }
        let body: HTML = """
            \(group("Films", "films small", films))\(group("Characters", "characters", characters))\
            \(group("Worlds, species and ships", "plain", others))
            """
        return (body, results.count)
    }

    private func group(_ title: String, _ style: String, _ rows: [HTML]) -> HTML {
        rows.isEmpty ? "" : "<section><h2>\(title)</h2><ul class=\"\(style)\">\(rows)</ul></section>"
    }
}
