import BatonText

extension String {
    /// Returns the names that are spelled most like this one, the nearest first; at most five.
    func nearest(in names: some Sequence<String>) -> [String] {
        // Longer texts, which a server may have made, take too long to compare.
        let longest = 128
        let count = utf8.count
        guard count <= longest else { return [] }
        // A name that is like another counts as a mistake. Two changes of four letters make another word.
        var nearest = NearestNames(to: self, limit: count < 5 ? 1 : max(2, count / 3))
        for name in Set(names) where name.utf8.count <= longest { nearest.add(name) }
        return nearest.names
    }
}
