import Baton
import StarWarsComponents
import TerminalRenderer

/// The list of characters, of which further pages are loaded when its end is seen.
final class CharacterList: ListPane {
    private unowned let app: App
    private let query: QueryHandle<CharacterListQuery>
    private let characters: FragmentHandle<CharacterList_query>
    private let rows: FragmentComponent<CharacterRow_character>
    private let state = ListState()

    init(in app: App) {
        (self.app, query) = (app, app.query())
        characters = FragmentHandle(nil, in: app.environment)
        rows = FragmentComponent(in: app.screen, CharacterRow.draw)
    }

    private var loaded: Loaded<CharacterListQuery.Data> { query.loaded(query.get(fetchKey: app.fetchKey)) }

    var place: Place? {
        loaded.data.flatMap { _ in characters.get().data.flatMap { state.selected(of: $0.characters.nodes) } }
            .map { .character($0.id) }
    }

    var content: any Element {
        let loaded = loaded
        characters.show(loaded.data?.fragments.characterList_query)
        let list = characters.get().data?.characters
        let count = list.map { ListCount.text($0.nodes.count, of: $0.totalCount) } ?? ""
        let footer = characters.isLoadingNext ? "loading more" : ""
        return Box("Characters", note: count, footer: footer, isFocused: !app.isDetailFocused) {
            loaded.content { _ in
                if let list {
                    List(
                        characters.loadingAhead(list.nodes, distance: 4, count: 12), state,
                        isFocused: !app.isDetailFocused, open: app.openSelected, focus: app.focusList
                    ) { [rows] character, row in rows(character.fragments.characterRow_character, row) }
                }
            }
        }
    }
}
