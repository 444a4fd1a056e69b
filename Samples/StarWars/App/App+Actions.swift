import Baton
import TerminalRenderer

extension App {
    /// Shows a list on the left.
    func open(_ tab: Tab) {
        (self.tab, isDetailFocused) = (tab, false)
        detail.closeAll()
        if tab == .search { search.isTyping = true }
    }

    /// Gives the focus to the right pane, which shows the selected row of the list.
    func openSelected(_ row: Int) { isDetailFocused = true }

    func focusList() { isDetailFocused = false }

    func focusDetail() { isDetailFocused = true }

    /// Opens a place on the right, above what is open there.
    func open(_ place: Place) {
        detail.open(place)
        isDetailFocused = true
    }

    /// Closes what was opened last, then gives the focus to the list, then leaves the search.
    func goBack() {
        if isDetailFocused, detail.close() { return }
        if isDetailFocused {
            isDetailFocused = false
        } else if tab == .search {
            tab = .films
        }
    }

    /// Fetches what is shown again.
    func refetch() { fetchKey = (fetchKey ?? 0) + 1 }

    /// Sends a mutation. Its changes arrive through the store, and a failure through the log.
    func commit<Mutation: GraphQLMutation>(_ mutation: Mutation, optimistic: JSONValue? = nil) {
        log.expectMutation()
        Task { [environment] in
            _ = try? await environment.commit(mutation, optimistic: optimistic.map { .response($0) })
        }
    }
}
