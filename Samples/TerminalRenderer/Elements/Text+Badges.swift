extension Text {
    /// Names on their colours, in this number of columns: whole ones, and the last one shortened if enough of it can be
    /// read.
    ///
    /// - Parameter isPlain: whether the colours are left out, as in a selected row.
    public static func badges(
        _ badges: some Sequence<(name: String, color: Color)>, within width: Int, isPlain: Bool = false
    ) -> Text {
        var (texts, rest): ([Text], Int) = ([], width)
        for badge in badges {
            let name = badge.name.truncated(toWidth: max(0, min(20, rest - 2)))
            let text = isPlain ? Text(" \(name) ") : .badge(name, badge.color)
            guard text.width == badge.name.displayWidth + 2 || text.width >= 10 else { break }
            texts.append(text)
            rest -= text.width + 1
        }
        return joined(texts)
    }
}
