/// The keys of the program.
enum Help {
    static let keys: [(key: String, meaning: String)] = [
        ("1 2 /", "films, characters, search"),
        ("j k, arrows", "move; g and G: first and last"),
        ("enter, click", "open; the wheel scrolls"),
        ("tab, h, l", "the other pane"),
        ("esc", "back"),
        ("s", "favourite film, shown before the answer"),
        ("w", "write a review of the film"),
        ("f", "another trilogy, in the list of films"),
        ("r", "fetch again"),
        ("i", "invalidate the store"),
        ("p", "the last publishes, the newest first"),
        ("e", "pull the cable for some seconds, or put it in"),
        ("ctrl-z, q", "suspend, quit"),
    ]
}
