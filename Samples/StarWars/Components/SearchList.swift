import Baton
import TerminalRenderer

/// The search: a request for each text that is typed, of which only the newest counts.
final class SearchList: ListPane {
    private static let query = graphql(
        """
        query SearchListQuery($text: String!) {
          search(text: $text, first: 40) {
            __typename
            ... on Node {
              id
            }
            ...SearchRow_result
          }
        }
        """
    )

    private unowned let app: App
    private let results: QueryHandle<SearchListQuery>
    private let rows: FragmentComponent<SearchRow_result>
    private let state = ListState()
    private let text = TextInput()
    private(set) var isTyping = true

    init(in app: App) {
        self.app = app
        results = QueryHandle(
            in: app.environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        rows = FragmentComponent(in: app.screen, SearchRow.draw)
    }

    func beginTyping() { isTyping = true }
    func retry() {}

    private var loaded: Loaded<SearchListQuery.Data>? {
        text.text.isEmpty ? nil : results.loaded(results.get(text: text.text, fetchKey: app.fetchKey))
    }

    var place: Place? {
        guard let found = loaded?.data?.search, found.indices.contains(state.selection),
            let id = found[state.selection].asNode?.id
        else { return nil }
        return switch found[state.selection].__typename {
        case "Film": .film(id)
        case "Human", "Droid", "Creature": .character(id)
        default: .other(id)
        }
    }

    var content: any Element {
        let isFocused = !app.isDetailFocused
        let count = loaded?.data.map { "\($0.search.count)" } ?? ""
        return Box("Search", note: count, isFocused: isFocused) {
            Row {
                Text(" / ", .color(SampleTheme.crawl).bold)
                TextField(text, isFocused: isFocused && isTyping, placeholder: "film, name, planet, ship") { [state] in
                    state.reset()
                }
            }
            .onKey(when: isFocused && isTyping) { [self] in endTyping($0) }
            Spacer.rows(1)
            found(isFocused)
        }
    }

    private func found(_ isFocused: Bool) -> any Element {
        guard let loaded else {
            return Text.faint("What is typed is searched for at once.").wrapped.padding(horizontal: 1)
        }
        return loaded.content { data in
            List(
                data.search, state, isFocused: isFocused && !isTyping, open: { [app] _ in app.isDetailFocused = true },
                focus: { [self] in (app.isDetailFocused, isTyping) = (false, false) }
            ) { [rows] result, row in rows(result.fragments.searchRow_result, row) }
        }
    }
}

extension SearchList {
    /// Leaves the field by enter or an arrow for the list, and by escape for the list of films.
    private func endTyping(_ key: Key) -> Bool {
        switch key {
        case .enter, .down, .tab: isTyping = false
        case .escape: app.open(.films)
        case .control("c"): return false
        default: break
        }
        return true
    }
}
