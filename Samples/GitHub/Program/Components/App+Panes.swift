import TerminalRenderer

extension App {
    /// The panes with a window before them, which on a narrow screen takes their place.
    func panes(_ size: Size) -> any Element {
        // What one comments on and reacts to stays on the screen, and its comments are loaded.
        if size.width < 60, ![.comment, .reaction].contains(session.focus), let window { return window }
        return arranged(size).overlay(window)
    }

    private func arranged(_ size: Size) -> any Element {
        if size.width >= 100 {
            return Row {
                Column { list }.filling(width: 4, height: 1)
                Column { page }.filling(width: 5, height: 1)
            }
        }
        return Column { if session.isReading || session.focus == .comment { page } else { list } }
    }

    private var window: (any Element)? {
        switch session.focus {
        case .help: KeyHelp(Help.keys, help) { [session] in session.closeWindow() }
        case .comment: CommentWindow.draw(session)
        case .label, .author: Column { menu }
        case .reaction: ReactionMenu.window()
        case .list, .item, .search: nil
        }
    }
}
