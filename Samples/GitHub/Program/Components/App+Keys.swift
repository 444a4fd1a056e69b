import TerminalRenderer

extension App {
    /// Performs the action of a key that no element has taken.
    func press(_ key: Key) -> Bool {
        switch session.focus {
        case .search: return endSearch(key)
        case .help, .comment, .label, .author: return back(key)
        case .reaction:
            guard case .character(let digit) = key, let number = digit.wholeNumberValue,
                Reacting.all.indices.contains(number - 1), let block = session.block
            else { return back(key) }
            session.focus = .item
            Reacting.toggle(Reacting.all[number - 1].content, on: block, in: session)
            return true
        case .list, .item: return choose(key) || act(key)
        }
    }

    private func back(_ key: Key) -> Bool {
        guard [.escape, .character("q"), .control("g")].contains(key) else { return false }
        session.focus = [.comment, .reaction].contains(session.focus) ? .item : .list
        return true
    }

    private func endSearch(_ key: Key) -> Bool {
        switch key {
        case .enter, .down: follow(.zero)
        case .escape:
            search.replace(with: "")
            follow(.zero)
        default: return false
        }
        session.focus = .list
        return true
    }

    /// What is shown.
    private func choose(_ key: Key) -> Bool {
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
    private func act(_ key: Key) -> Bool {
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
