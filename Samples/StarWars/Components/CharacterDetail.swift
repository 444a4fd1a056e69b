import Baton
import TerminalRenderer

/// One character: an interface at the top, a list of a union below it, and the films as in the film list.
final class CharacterDetailScreen: Screen {
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

    let help = ["enter open", "left back", "r refetch", "i invalidate", "e network", "q quit"]

    private let id: String
    private let character: QueryHandle<CharacterDetailQuery>
    private var header = ComponentList<CharacterHeader_character>(CharacterHeader.render)
    private var affiliations = ComponentList<AffiliationRow_affiliation>(AffiliationRow.render)
    private var films = ComponentList<FilmRow_film>(FilmRow.render)
    private var filmIDs: [String] = []
    private var selection = Selection()
    private var fetchKey: Int?

    init(_ id: String, in app: isolated App) {
        self.id = id
        character = QueryHandle<CharacterDetailQuery>(in: app.environment, fetchPolicy: .storeOrNetwork)
    }

    func page(width: Int, in app: isolated App) -> Page {
        let shown = character.shown(character.get(id: id, fetchKey: fetchKey))
        var page = Page(title: "Character", progress: shown.progress, warning: shown.warning)
        guard let data = shown.data else { return page }
        guard let character = data.character else {
            page.lines = [StyledLine("There is no character '\(id)'.")]
            return page
        }
        page.title = character.name
        header.show([character.fragments.characterHeader_character], in: app)
        affiliations.show(character.affiliations.map(\.fragments.affiliationRow_affiliation), in: app)
        let nodes = character.films.nodes
        filmIDs = nodes.map(\.id)
        films.show(nodes.map(\.fragments.filmRow_film), in: app)
        selection.clamp(count: filmIDs.count)
        page.lines = header.lines(width: width, in: app)
        if !affiliations.rows.isEmpty { page.lines += .heading("Belongs to") }
        page.lines += affiliations.lines(width: width, in: app)
        page.lines += .heading("Films")
        page.select(selection, in: page.lines.count..<(page.lines.count + filmIDs.count))
        page.lines += films.lines(width: width, in: app)
        return page
    }

    func press(_ key: Key, in app: isolated App) -> KeyEffect {
        if selection.move(key, count: filmIDs.count) { return .nothing }
        switch key {
        case .enter, .right:
            guard filmIDs.indices.contains(selection.index) else { break }
            app.open(FilmDetailScreen(filmIDs[selection.index], in: app))
        case .character("r"): fetchKey = app.nextFetchKey()
        default: break
        }
        return .nothing
    }
}
