extension String {
    /// The text, or its beginning of at most so many bytes and an ellipsis. A character of UTF-8 stays whole.
    package func cut(to limit: Int) -> String {
        guard utf8.count > max(limit, 0) else { return self }
        var end = utf8.index(startIndex, offsetBy: max(limit, 0))
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])..."
    }
}
