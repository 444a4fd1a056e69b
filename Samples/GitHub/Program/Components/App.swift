import TerminalRenderer

/// The whole screen: the list, beside it the selected item where there is space, and the keys that work everywhere.
final class App: Component {
    let session: Session
    let list: ItemList
    private let page: ItemPage
    private let menu: FilterMenu
    private let status: Status
    private let help = ScrollState()
    let search = TextInput()
    private let words: Settled<String>

    init(in screen: Screen, _ session: Session) {
        self.session = session
        session.screen = screen
        words = Settled("", in: screen)
        (list, page) = (ItemList(in: screen, session), ItemPage(in: screen, session))
        (menu, status) = (FilterMenu(in: session), Status(in: session))
        var wasAway = false
        screen.redraw(for: session.connectivity.statuses) { [session] status in
            if wasAway, status.outage == nil { session.show("The service can be reached again.") }
            wasAway = status.outage != nil
        }
    }

    var content: any Element {
        session.filter.text = words.value
        return Column {
            TopBar.line(session, search) { [self] in follow(.milliseconds(100)) }
            Sizing(panes)
            status
            KeyHints(Help.hints(session.focus), always: Help.lasting(session.focus))
        }
        .overlay(overlay)
        .onKey { [self] in press($0) }
    }

    private func panes(_ size: Size) -> any Element {
        if size.width >= 100 {
            return Row {
                Column { list }.filling(width: 4, height: 1)
                Column { page }.filling(width: 5, height: 1)
            }
        }
        return Column { if session.isReading || session.focus == .comment { page } else { list } }
    }

    func follow(_ pause: Duration) {
        words.follow(search.text, after: search.text.isEmpty ? .zero : pause)
    }

    private var overlay: (any Element)? {
        switch session.focus {
        case .help: KeyHelp(Help.keys, help) { [session] in session.closeWindow() }
        case .comment: CommentWindow.draw(session)
        case .label, .author: Column { menu }
        case .reaction: ReactionMenu.window()
        case .list, .item, .search: nil
        }
    }
}
