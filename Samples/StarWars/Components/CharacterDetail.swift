import Baton
import StarWarsComponents
import TerminalRenderer

/// One character: an interface at the top, a list of a union below it, and the films as in the film list.
final class CharacterDetail: DetailPage {
    private unowned let app: App
    private var id: String
    private let character: QueryHandle<CharacterDetailQuery>
    private let facts: FragmentComponent<CharacterFacts_character>
    private let affiliations: FragmentComponent<AffiliationRow_affiliation>
    private let rows: FragmentComponent<FilmRow_film>
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app, character) = (id, app, app.query())
        facts = FragmentComponent(in: app.screen, CharacterFacts.draw)
        affiliations = FragmentComponent(in: app.screen, AffiliationRow.draw)
        rows = FragmentComponent(in: app.screen, FilmRow.draw)
    }

    var content: any Element {
        let loaded = character.loaded(character.get(id: id, fetchKey: app.fetchKey))
        let character = loaded.data?.character
        Box(character?.name ?? "Character", isFocused: app.isDetailFocused) {
            loaded.content { _ in
                character.map(page) ?? Text.faint("There is no character '\(id)'.").padding(horizontal: 1)
            }
        }
    }

    private func page(_ character: CharacterDetailQuery.Data.Character) -> any Element {
        let films = character.films.nodes
        let belongs = character.affiliations.map { affiliations($0.fragments.affiliationRow_affiliation) }
        let parts: [any Element] = [
            facts(character.fragments.characterFacts_character),
            Row.labelled("Friends", friends(of: character)).padding(horizontal: 1), Spacer.rows(1),
            Column {
                if !belongs.isEmpty { Text.heading("Belongs to").padding(horizontal: 1) }
                belongs
                if !belongs.isEmpty { Spacer.rows(1) }
                (Text.heading("Films ") + Text.faint("\(films.count)")).padding(horizontal: 1)
            },
        ]
        return app.page(parts, films.map { .film($0.id) }, state) { [rows] index, row in
            rows(films[index].fragments.filmRow_film, row)
        }
    }

    private func friends(of character: CharacterDetailQuery.Data.Character) -> String {
        character.friends.nodes.compactMap { app.environment.read($0.fragments.characterRow_character)?.name }
            .joined(separator: ", ")
    }

    func show(_ place: Place) -> Bool {
        guard case .character(let id) = place else { return false }
        (self.id, _) = (id, state.reset())
        return true
    }
}
