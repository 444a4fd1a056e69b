import Baton
import HTML
import StarWarsComponents

/// Whatever has the searched text in its name or title.
struct SearchPage: Page {
    let text: String

    init(_ text: String?) {
        let words = (text ?? "").prefix(1_000).split { $0.isWhitespace }
        self.text = String(words.joined(separator: " ").prefix(100))
    }

    private var isAsking: Bool { !VisibleText.isBlank(text) }

    private var query: SearchListQuery { SearchListQuery(text: text, inFull: true) }

    var queries: [any GraphQLQuery] { isAsking ? [query] : [] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let found = isAsking ? try groups(visit) : ("<p class=\"empty\">Type a name, a title, or a part of one.</p>", 0)
        let title = isAsking ? "Search for \u{201C}\(text)\u{201D}" : "Search"
        return Content(
            title: title, description: "What the saga knows of a name.",
            body: """
                <h1>\(title)</h1>\(Self.form(text))
                <p class="count" id="found">\(isAsking ? "\(found.1) found" : "")</p>\(found.0)\(Notice.holes(visit))
                """,
            hasSearch: true)
    }

    /// The field for a search, with what was searched for.
    static func form(_ text: String) -> HTML {
        """
        <search><form class="search wide" action="\(WebAddress("search"))"><label for="q">Name or title</label>\
        <input id="q" name="q" type="search" maxlength="100" dir="auto" value="\(text)"><button>Search</button></form>\
        </search>
        """
    }

    private func groups(_ visit: Visit) throws(PageError) -> (HTML, Int) {
        let results = try QueryHandle<SearchListQuery>.inStore(of: visit).get(query.variables).shown().search
        var (films, characters, others): ([HTML], [HTML], [HTML]) = ([], [], [])
        for result in results {
            if let film = result.asFilm {
                films.append(FilmRow.render(film.fragments.filmRow_film, film.fragments.filmPicture_film, visit))
            } else if let character = result.asCharacter {
                characters.append(CharacterRow.render(character.fragments.characterRow_character, visit))
            } else if let other = visit.environment.read(result.fragments.searchRow_result) {
                let (_, name, fact) = SearchRow.description(of: other)
                others.append("<li><b>\(name)</b> \(fact)</li>")
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
