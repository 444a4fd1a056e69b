/// The keys of the program.
enum Help {
    static let keys: [(key: String, meaning: String)] = [
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
}
