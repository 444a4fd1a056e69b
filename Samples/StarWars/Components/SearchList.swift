import Baton
import StarWarsComponents
import TerminalRenderer

/// The search: a request for each text that is typed, of which only the newest counts.
final class SearchList: ListPane {
    private unowned let app: App
    private let results: QueryHandle<SearchListQuery>
    private let rows: FragmentComponent<SearchRow_result>
    private let (state, text) = (ListState(), TextInput())
    var isTyping = true

    init(in app: App) {
        (self.app, results) = (app, app.query())
        rows = FragmentComponent(in: app.screen, SearchRow.draw)
    }

    private var nothing: String { "Nothing matches '\(text.text)'." }

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
                if data.search.isEmpty { Text.faint(loaded?.isLoading == true ? "" : nothing).padding(horizontal: 1) }
                List(
                    data.search, state, isFocused: isFocused && !isTyping, open: app.openSelected,
                    focus: { [self] in (app.isDetailFocused, isTyping) = (false, false) },
                    row: { [rows] result, row in rows(result.fragments.searchRow_result, row) })
            } ?? Text.faint("What is typed is searched for at once.").wrapped.padding(horizontal: 1)
        }
    }

    /// Leaves the field by enter or an arrow for the results, and by escape for the list from which the search began.
    private func endTyping(_ key: Key) -> Bool {
        switch key {
        case .enter, .down, .tab: isTyping = false
        case .escape: app.goBack()
        case .control("c"), .control("z"): return false
        default: break
        }
        return true
    }
}
