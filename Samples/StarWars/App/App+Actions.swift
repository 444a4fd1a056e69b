import Baton
import TerminalRenderer

extension App {
    /// Shows a list on the left.
    func open(_ tab: Tab) {
        if self.tab != .search { tabBeforeSearch = self.tab }
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
            open(tabBeforeSearch)
        }
    }

    /// Tells a person something, for some seconds in place of the line about the last publish.
    ///
    /// - Parameter endsWithPublish: whether the next publish ends it before its time.
    func tell(_ text: String, isFailure: Bool = false, endsWithPublish: Bool = false) {
        publishBeforeNotice = endsWithPublish ? log.publish?.number ?? 0 : nil
        let told =
            isFailure ? Text(" \u{2717} " + text, .color(SampleTheme.red)) : Text(" " + text, .color(SampleTheme.blue))
        notice.show(told, for: .seconds(isFailure ? 8 : 3))
    }

    /// Fetches what is shown again.
    func refetch() {
        tell("Fetching again\u{2026}", endsWithPublish: true)
        fetchKey = (fetchKey ?? 0) + 1
    }

    /// Makes everything in the store old, so that it is fetched when it is looked at next.
    func invalidate() {
        environment.invalidate()
        tell("All data is old now, what you open next is fetched.")
    }

    /// Pulls the cable, or puts it in again.
    func switchCable() {
        let isOut = network.switchCable()
        tell(isOut ? "The cable is out for some seconds, e puts it in again." : "The cable is in again.")
    }

    /// Sends a mutation. Its changes arrive through the store. A failure is told under these words, after the closure
    /// has run.
    func commit<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: JSONValue? = nil, failure: String,
        failed: @escaping @MainActor () -> Void = {}
    ) {
        notice.hide()
        log.expectMutation()
        Task {
            do throws(RelayError) {
                _ = try await environment.commit(mutation, optimistic: optimistic.map { .response($0) })
            } catch {
                failed()
                tell("\(failure): \(EventLog.reason(error))", isFailure: true)
            }
            commitsEnded += 1
            screen.changed()
        }
    }
}
