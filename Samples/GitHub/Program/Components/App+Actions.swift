import TerminalRenderer

extension App {
    /// What is shown.
    func choose(_ key: Key) -> Bool {
        switch key {
        case .character("q"): session.screen?.quit()
        case .character("?"): session.focus = .help
        case .character("/"): session.focus = .search
        case .tab, .shift(.tab): session.focus = session.focus == .list ? .item : .list
        case .escape, .left, .character("h"): session.focus = .list
        case .right, .character("l"): session.focus = .item
        case .character("1"): session.filter.isPull = false
        case .character("2"): session.filter.isPull = true
        case .character("s"): session.filter.state = session.filter.state.next
        case .character("f"): session.focus = .label
        case .character("a"): session.focus = .author
        case .character("0"):
            search.replace(with: "")
            follow(.zero)
            session.filter = Filter(isPull: session.filter.isPull)
        case .character("r"): session.refreshes += 1
        default: return false
        }
        return true
    }

    /// What is done with the selected item.
    func act(_ key: Key) -> Bool {
        guard let target = session.target, let item = session.environment.read(target.reference) else { return false }
        switch key {
        case .character("c"): session.focus = .comment
        case .character("+") where session.block != nil: session.focus = .reaction
        case .character("x"): Closing.toggle(target, in: session)
        case .character("o"): session.browse(item.url)
        case .character("y"): session.copy(item.url)
        default: return false
        }
        return true
    }
}
