import TerminalRenderer

extension App {
    /// Performs the action of a key that no element has taken.
    func press(_ key: Key) -> Bool {
        switch session.focus {
        case .search: endSearch(key)
        case .list, .item: choose(key) || act(key)
        case .help, .comment, .label, .author, .reaction, .quit: false
        }
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
