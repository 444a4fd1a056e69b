import TerminalRenderer

extension App {
    /// Performs the action of a key that no element has taken.
    func press(_ key: Key) -> Bool {
        switch session.focus {
        case .search: return endSearch(key)
        case .help: return false
        case .comment, .label, .author: return back(key)
        case .reaction:
            guard case .character(let digit) = key, let number = digit.wholeNumberValue,
                ReactionMenu.all.indices.contains(number - 1), let block = session.block
            else { return back(key) }
            session.closeWindow()
            Reacting.toggle(ReactionMenu.all[number - 1].content, on: block, in: session)
            return true
        case .list, .item: return choose(key) || act(key)
        }
    }

    private func back(_ key: Key) -> Bool {
        guard [.escape, .character("q"), .control("g")].contains(key) else { return false }
        session.closeWindow()
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
}
