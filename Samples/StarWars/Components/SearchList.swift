import Baton
import StarWarsComponents
import TerminalRenderer

/// The search: a request for each text that is typed, of which only the newest counts.
final class SearchList: ListPane {
    private unowned let app: App
    private let results: QueryHandle<SearchListQuery>
    private let rows: FragmentComponent<SearchRow_result>
    private let state = ListState()
    private let text = TextInput()
    var isTyping = true

    init(in app: App) {
        (self.app, results) = (app, app.query())
        rows = FragmentComponent(in: app.screen, SearchRow.draw)
    }

    private var loaded: Loaded<SearchListQuery.Data>? {
        text.text.isEmpty ? nil : results.loaded(results.get(text: text.text, fetchKey: app.fetchKey))
    }

    var place: Place? {
        guard let found = loaded?.data.flatMap({ state.selected(of: $0.search) }), let id = found.asNode?.id else {
            return nil
        }
        return Place(type: found.__typename, id: id)
    }

    var content: any Element {
        let (isFocused, loaded) = (!app.isDetailFocused, loaded)
        return Box("Search", note: loaded?.data.map { "\($0.search.count)" } ?? "", isFocused: isFocused) {
            Row {
                Text(" / ", .color(SampleTheme.crawl).bold)
                TextField(
                    text, isFocused: isFocused && isTyping, placeholder: "film, name, planet, ship",
                    changed: state.reset)
            }
            .onKey(when: isFocused && isTyping) { [self] in endTyping($0) }
            Spacer.rows(1)
            loaded?.content { data in
                List(
                    data.search, state, isFocused: isFocused && !isTyping, open: app.openSelected,
                    focus: { [self] in (app.isDetailFocused, isTyping) = (false, false) },
                    row: { [rows] result, row in rows(result.fragments.searchRow_result, row) })
            } ?? Text.faint("What is typed is searched for at once.").wrapped.padding(horizontal: 1)
        }
    }

    /// Leaves the field by enter or an arrow for the list, and by escape for the list of films.
    private func endTyping(_ key: Key) -> Bool {
        switch key {
        case .enter, .down, .tab: isTyping = false
        case .escape: app.open(.films)
        case .control("c"), .control("z"): return false
        default: break
        }
        return true
    }
}
