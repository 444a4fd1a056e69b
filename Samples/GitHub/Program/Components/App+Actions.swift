import TerminalRenderer

extension App {
    /// What is shown.
    func choose(_ key: Key) -> Bool {
        switch key {
        case .character("q"): session.quit()
        case .character("?"): session.open(.help)
        case .character("/"): session.focus = .search
        case .tab, .shift(.tab): session.focus = session.focus == .list ? .item : .list
        case .escape, .left, .character("h"): session.focus = .list
        case .right, .character("l"): session.focus = .item
        case .character("1"): session.list { $0.isPull = false }
        case .character("2"): session.list { $0.isPull = true }
        case .character("s"): session.list { $0.state = $0.state.next }
        case .character("f"): session.open(.label)
        case .character("a"): session.open(.author)
        case .character("0"):
            search.replace(with: "")
            follow(.zero)
            session.list { $0 = Filter(isPull: $0.isPull) }
        case .character("r"):
            session.refreshes += 1
            session.show("Fetching again")
        default: return false
        }
        return true
    }

    /// What is done with the selected item.
    func act(_ key: Key) -> Bool {
        // Several keys may arrive before the next frame.
        list.settle()
        guard let target = session.target, let data = session.environment.read(target.reference) else { return false }
        let actions: [Key] = ["c", "+", "x", "o", "y"].map { .character($0) }
        guard actions.contains(key) else { return false }
        guard let item = data.listed else {
            session.show("This program cannot do that with a \(data.__typename).")
            return true
        }
        if session.isGone, [.character("+"), .character("x")].contains(key) {
            session.showGone()
            return true
        }
        switch key {
        case .character("c"):
            session.writing.begin(about: target.id, number: item.number)
            session.open(.comment)
        case .character("+") where session.block == nil: session.show("Open it first, to see what you react to.")
        case .character("+"): session.open(.reaction)
        case .character("x"): Closing.toggle(target, in: session)
        case .character("o"): session.browse(item.url)
        case .character("y"): session.copy(item.url)
        default: return false
        }
        return true
    }
}
