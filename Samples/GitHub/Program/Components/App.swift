import TerminalRenderer

/// The whole screen: the list, beside it the selected item where there is space, and the keys that work everywhere.
final class App: Component {
    let session: Session
    let list: ItemList
    let page: ItemPage
    let menu: FilterMenu
    private let status: Status
    let help = ScrollState()
    let search: TextInput
    private let words: Settled<String>

    init(in screen: Screen, _ session: Session) {
        self.session = session
        session.screen = screen
        search = TextInput(session.filter.text)
        words = Settled(session.filter.text, in: screen)
        (list, page) = (ItemList(in: screen, session), ItemPage(in: screen, session))
        (menu, status) = (FilterMenu(in: session), Status(in: session))
        var wasAway = false
        screen.redraw(for: session.connectivity.statuses) { [session] status in
            if wasAway, status.outage == nil { session.show("The service can be reached again.") }
            wasAway = status.outage != nil
        }
        screen.redraw(for: session.rate.changes) { [session] isLow in
            session.screen?.changed()
            if isLow { Task { await session.waitForReset() } }
        }
        if let greeting = session.greeting { session.show(greeting, for: .seconds(20)) }
    }

    var content: any Element {
        session.filter.text = words.value
        session.keepSoon()
        return Column {
            TopBar.line(session, search) { [self] in follow(.milliseconds(100)) }
            Sizing(panes)
            status
            KeyHints(Help.hints(session.focus), always: Help.lasting(session.focus))
        }
        .onKey { [self] in press($0) }
    }

    func follow(_ pause: Duration) {
        words.follow(search.text, after: search.text.isEmpty ? .zero : pause)
    }
}
