import TerminalRenderer

/// The keys of the program, over the screen.
enum Help {
    private static let keys: [(key: String, meaning: String)] = [
        ("1 2 /", "films, characters, search"),
        ("j k, arrows", "move; g and G: first and last"),
        ("enter, click", "open"),
        ("tab, h, l", "the other pane"),
        ("esc", "back"),
        ("s", "favourite, shown before the answer"),
        ("w", "write a review"),
        ("f", "another trilogy"),
        ("r", "fetch again"),
        ("i", "invalidate the store"),
        ("e", "pull the cable for some seconds"),
        ("ctrl-z, q", "suspend, quit"),
    ]

    /// The help, which any key closes that does not scroll it.
    static func content(_ state: ScrollState, _ close: @escaping @MainActor () -> Void) -> any Element {
        Box("Keys", footer: "any key closes", isFocused: true) {
            Scroll(state) {
                for (key, meaning) in keys {
                    Row {
                        Text(key, .color(SampleTheme.blue).bold).frame(width: 14)
                        Text(meaning)
                    }
                }
            }
            .padding(horizontal: 1)
        }
        .onKey { _ in
            close()
            return true
        }
        .onClick(close)
    }
}
