import TerminalRenderer

/// All keys.
enum Help {
    static let keys: [(key: String, meaning: String)] = [
        ("j k, arrows", "move; also g, ctrl-d ctrl-u, page keys, wheel"),
        ("G end", "go to the end, 10 pages at once; any key stops"), ("enter, second click", "open"), ("esc h", "back"),
        ("tab", "the other pane"), ("/", "search; enter keeps it, esc leaves it"), ("1 2", "issues, pull requests"),
        ("s", "open, closed, all"), ("f a", "only a label, only an author"), ("0", "take the filter away"),
        ("c", "comment"), ("x", "close or reopen"), ("+", "react to what is selected"), ("o", "open in the browser"),
        ("y", "copy the link"), ("r", "refresh"), ("ctrl-z", "suspend"), ("q", "quit; asks if a text is not sent"),
        ("ctrl-c", "quit at once; texts and filter are kept"),
    ]

    /// The keys that are always in the last line, but for windows and fields, which take them as text.
    static func lasting(_ focus: Session.Focus) -> [(key: String, word: String)] {
        [.list, .item].contains(focus) ? [("?", "keys"), ("q", "quit")] : []
    }

    /// The keys in the last line.
    static func hints(_ focus: Session.Focus) -> [(key: String, word: String)] {
        switch focus {
        case .search: [("enter", "keep"), ("esc", "leave")]
        case .item:
            [("esc", "back"), ("c", "comment"), ("+", "react"), ("x", "close/open"), ("o", "browser")]
        case .list: [("enter", "open"), ("/", "search"), ("s", "state"), ("f", "label"), ("c", "comment")]
        case .help, .comment, .label, .author, .reaction: [("esc", "back")]
        case .quit: [("enter", "quit"), ("esc", "stay")]
        }
    }
}
