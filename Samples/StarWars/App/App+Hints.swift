/// The keys that the last line shows.
extension App {
    private var isTyping: Bool { tab == .search && !isDetailFocused && search.isTyping }

    /// True if a film has the focus: a row of the films, or the page of one.
    private var showsFilm: Bool {
        guard isDetailFocused, case .film? = detail.place else { return !isDetailFocused && tab == .films }
        return true
    }

    /// The keys at the right edge.
    var lastingHints: [(key: String, word: String)] {
        isTyping || overlay != nil ? [] : [("?", "help"), ("q", "quit")]
    }

    /// The keys of what has the focus, the most important ones first.
    var hints: [(key: String, word: String)] {
        // A window has its keys on its border.
        if overlay != nil { return [] }
        if isTyping { return [("enter", "results"), ("esc", "back"), ("ctrl-u", "clear")] }
        let film: [(key: String, word: String)] = showsFilm ? [("s", "star"), ("w", "review")] : []
        let moving: [(key: String, word: String)] = [("j/k", "move"), ("enter", "open")]
        let others: [(key: String, word: String)] = [
            ("/", "search"), ("e", network.outageLeft == nil ? "unplug" : "plug in"),
        ]
        if isDetailFocused || tab == .search { return [("esc", "back")] + moving + film + others }
        return moving + film + (tab == .films ? [("f", "filter")] : []) + others
    }
}
