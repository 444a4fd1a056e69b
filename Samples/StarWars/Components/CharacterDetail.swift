import Baton
import TerminalRenderer

/// One character: an interface at the top, a list of a union below it, and the films as in the film list.
final class CharacterDetail: DetailPage {
    private static let query = graphql(
        """
        query CharacterDetailQuery($id: ID!) {
          character(id: $id) {
            name
            ...CharacterHeader_character
            affiliations {
              ...AffiliationRow_affiliation
            }
            films {
              totalCount
              edges {
                node {
                  id
                  ...FilmRow_film
                }
              }
            }
          }
        }
        """
    )

    private unowned let app: App
    private var id: String
    private let character: QueryHandle<CharacterDetailQuery>
    private let header: FragmentComponent<CharacterHeader_character>
    private let affiliations: FragmentComponent<AffiliationRow_affiliation>
    private let rows: FragmentComponent<FilmRow_film>
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app) = (id, app)
        character = QueryHandle(
            in: app.environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        header = FragmentComponent(in: app.screen, CharacterHeader.draw)
        affiliations = FragmentComponent(in: app.screen, AffiliationRow.draw)
        rows = FragmentComponent(in: app.screen, FilmRow.draw)
    }

    var content: any Element {
        let loaded = character.loaded(character.get(id: id, fetchKey: app.fetchKey))
        return Box(loaded.data?.character?.name ?? "Character", isFocused: app.isDetailFocused) {
            loaded.content { data in
                if let character = data.character {
                    list(character)
                } else {
                    Text.faint("There is no character '\(id)'.").padding(horizontal: 1)
                }
            }
        }
    }

    func show(_ place: Place) -> Bool {
        guard case .character(let id) = place else { return false }
        self.id = id
        state.reset()
        return true
    }

    func retry() {}
}

extension CharacterDetail {
    /// The parts of the page, and then the films.
    private func list(_ character: CharacterDetailQuery.Data.Character) -> any Element {
        let films = character.films.nodes
        let belongs: [any Element] =
            [Text.heading("Belongs to").padding(horizontal: 1)]
            + character.affiliations.map { affiliations($0.fragments.affiliationRow_affiliation) }
        let parts: [any Element] = [
            header(character.fragments.characterHeader_character), Spacer.rows(1),
            Column(character.affiliations.isEmpty ? [] : belongs + [Spacer.rows(1)]),
            (Text.heading("Films ") + Text.faint("\(character.films.totalCount)")).padding(horizontal: 1),
        ]
        return List(
            0..<parts.count + films.count, state, isFocused: app.isDetailFocused,
            isSelectable: { $0 >= parts.count },
            open: { [app] in app.open(.film(films[$0 - parts.count].id)) },
            focus: { [app] in app.isDetailFocused = true }
        ) { [rows] index, row in
            index < parts.count ? parts[index] : rows(films[index - parts.count].fragments.filmRow_film, row)
        }
    }
}
