import Baton
import TerminalRenderer

/// The list of issues or pull requests that the filter asks for.
final class ItemList: Component {
    let session: Session
    let rows: FragmentComponent<ItemRow_node>
    let state = ListState()
    /// The lists of issues, of pull requests, and of what is found.
    private let sources: [any ItemSource]
    /// What is shown, also while the next list is loading.
    private var shown: (filter: Filter, items: Rows<Session.Target?>)?

    init(in screen: Screen, _ session: Session) {
        self.session = session
        sources = [
            IssueList(pages: Pages(in: session)), PullList(pages: Pages(in: session)),
            SearchList(pages: Pages(in: session, keepsPlace: false)),
        ]
        rows = FragmentComponent(in: screen) { [now = session.now] in ItemRow.draw($0, $1, now()) }
    }

    var content: any Element {
        let filter = session.filter
        let shown = filter.isSearch ? 2 : filter.isPull ? 1 : 0
        // What is shown is kept fresh.
        defer { for (index, source) in sources.enumerated() { source.show(index == shown) } }
        return list(sources[shown], filter)
    }

    /// Selects the item of the selected row, also before the next frame. Those on the way to the end are not looked at.
    func settle() {
        if !state.isGoingToEnd { session.select((shown?.items).flatMap { state.selected(of: $0) ?? nil }) }
    }

    private func list(_ source: some ItemSource, _ filter: Filter) -> any Element {
        let (fresh, isLoading) = (source.items(filter, in: session), source.pages.isLoading)
        if let fresh {
            if let shown, shown.filter != filter { state.reset() }
            shown = (filter, fresh)
        } else if !isLoading {
            shown = nil
        }
        let isOld = isLoading && shown.map { $0.filter != filter } ?? true
        let (filter, items) = (shown?.filter ?? filter, shown?.items)
        settle()
        let note = isOld || source.pages.isLoadingNext || state.isGoingToEnd ? "loading\u{2026}" : ""
        let title = filter.isSearch ? "Found" : filter.isPull ? "Pull requests" : "Issues"
        let hint = session.focus == .search ? "" : " 0 takes the filter away."
        return Box(title, note: note, footer: items?.place(in: state) ?? "", isFocused: session.focus == .list) {
            if let failure = source.pages.failure { Text.failure(failure).wrapped }
            if let items {
                if items.isEmpty { Text("Nothing matches.\(hint)", .dim) }
                rows(of: items).restyled { if isOld { $0.isDim = true } }
            } else {
                Text(isLoading ? "Loading" : "", .dim).filling()
            }
        }
    }
}
