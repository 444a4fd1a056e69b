import Baton
import TerminalRenderer

/// The list of issues or pull requests that the filter asks for.
final class ItemList: Component {
    let session: Session
    let issues: IssueList
    let pulls: PullList
    let search: SearchList
    let rows: FragmentComponent<ItemRow_node>
    let state = ListState()
    /// What is shown, also while the next list is loading.
    private var shown: (filter: Filter, items: Rows<Session.Target?>)?

    init(in screen: Screen, _ session: Session) {
        self.session = session
        (issues, pulls, search) = (IssueList(in: session), PullList(in: session), SearchList(in: session))
        rows = FragmentComponent(in: screen) { [now = session.now] in ItemRow.draw($0, $1, now()) }
    }

    var content: any Element {
        let filter = session.filter
        defer { poll(filter) }
        return filter.isSearch ? list(search, filter) : filter.isPull ? list(pulls, filter) : list(issues, filter)
    }

    /// Selects the item of the selected row, also before the next frame.
    func settle() { session.select((shown?.items).flatMap { state.selected(of: $0) ?? nil }) }

    private func list(_ source: some ItemSource, _ filter: Filter) -> any Element {
        let (fresh, isLoading) = (source.items(filter), source.pages.isLoading)
        if let fresh {
            if let shown, shown.filter != filter { state.reset() }
            shown = (filter, fresh)
        } else if !isLoading {
            shown = nil
        }
        let isOld = isLoading && shown.map { $0.filter != filter } ?? true
        let (filter, items) = (shown?.filter ?? filter, shown?.items)
        settle()
        let note = isOld || source.pages.isLoadingNext ? "loading\u{2026}" : ""
        let title = filter.isSearch ? "Found" : filter.isPull ? "Pull requests" : "Issues"
        return Box(title, note: note, footer: items?.place(in: state) ?? "", isFocused: session.focus == .list) {
            if let failure = source.pages.failure { Text(failure, .color(.red)).wrapped }
            if let items {
                if items.isEmpty { Text(nothing, .dim) }
                rows(of: items).restyled { if isOld { $0.isDim = true } }
            } else {
                Text(isLoading ? "Loading" : "", .dim).filling()
            }
        }
    }
}
