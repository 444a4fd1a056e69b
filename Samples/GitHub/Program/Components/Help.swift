import TerminalRenderer

/// All keys.
enum Help {
    private static let keys = [
        ("j k, arrows", "move; also g G, ctrl-d ctrl-u, page keys"), ("enter, click", "open"), ("esc h", "back"),
        ("tab", "the other pane"), ("/", "search; enter keeps it, esc leaves it"), ("1 2", "issues, pull requests"),
        ("s", "open, closed, all"), ("f a", "only a label, only an author"), ("0", "take the filter away"),
        ("c", "comment"), ("x", "close or reopen"), ("+", "react to what is selected"), ("o", "open in the browser"),
        ("y", "copy the link"), ("r", "refresh"), ("q ctrl-c", "quit"),
    ]

    static func window() -> any Element {
        Box("Keys", footer: "esc back", isFocused: true) {
            for (key, meaning) in keys {
                Row(gap: 1) {
                    Text(key, .bold).frame(width: 12)
                    Text(meaning)
                }
            }
        }
    }

    /// The keys in the last line.
    static func hints(_ focus: Session.Focus) -> [(key: String, word: String)] {
        switch focus {
        case .search: [("enter", "keep"), ("esc", "leave")]
        case .item:
            [("esc", "back"), ("c", "comment"), ("+", "react"), ("x", "close/open"), ("o", "browser"), ("?", "keys")]
        case .list: [("enter", "open"), ("/", "search"), ("s", "state"), ("f", "label"), ("?", "keys"), ("q", "quit")]
        case .help, .comment, .label, .author, .reaction: [("esc", "back")]
        }
    }
}
