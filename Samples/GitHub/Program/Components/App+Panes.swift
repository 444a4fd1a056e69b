import TerminalRenderer

extension App {
    /// The panes with a window before them, which on a narrow screen hides them.
    func panes(_ size: Size) -> any Element {
        let window = size.width < 60 ? window?.frame(width: size.width, height: size.height) : window
        return arranged(size).overlay(window) { [session] in session.closeWindow() }
    }

    private func arranged(_ size: Size) -> any Element {
        if size.width >= 100 {
            return Row {
                Column { list }.filling(width: 4, height: 1)
                Column { page }.filling(width: 5, height: 1)
            }
        }
        return Column { if session.isReading { page } else { list } }
    }

    private var window: (any Element)? {
        switch session.focus {
        case .help: KeyHelp(Help.keys, help) { [session] in session.closeWindow() }
        case .comment: CommentWindow.draw(session)
        case .label, .author: Column { menu }
        case .reaction: ReactionMenu.window(session)
        case .quit: QuitWindow.draw(session)
        case .list, .item, .search: nil
        }
    }
}
