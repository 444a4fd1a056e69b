import BatonCompiler

/// The text of a document that a client has open.
package struct OpenDocument: Sendable {
    package let uri: DocumentURI
    package let path: AbsolutePath?
    package private(set) var version: Int?
    package private(set) var lines: LineIndex
    /// Whether the client was told that the text is large.
    package var isToldLarge = false

    package var bytes: [UInt8] { lines.bytes }

    package init(uri: DocumentURI, version: Int?, text: String) {
        self.uri = uri
        path = uri.path
        self.version = version
        lines = LineIndex(Array(text.utf8))
    }

    /// Applies changes one after the other. A change is a range with its new text, or the whole new text. Returns false
    /// at the first change that is neither; the changes before it have been applied.
    ///
    /// Editors send the changes of a text from its end to its beginning. Such changes cost one copy of the text
    /// together, and others one copy each.
    package mutating func apply(_ changes: [JSONValue], version: Int?) -> Bool {
        self.version = version
        var pending: [Change] = []
        defer { lines = Self.applying(pending, to: lines) }
        for change in changes {
            guard let text = change["text"]?.string else { return false }
            guard let json = change["range"], json != .null else {
                pending = []
                lines = LineIndex(Array(text.utf8))
                continue
            }
            guard let range = TextRange(json) else { return false }
            // A position counts in the text with all changes before it, which is the same in front of them.
            if let last = pending.last, range.end >= lines.position(of: last.range.lowerBound) {
                lines = Self.applying(pending, to: lines)
                pending = []
            }
            pending.append(Change(range: lines.offsets(of: range), text: Array(text.utf8)))
        }
        return true
    }

    /// A range of bytes, and the text that replaces it.
    private struct Change {
        let range: Range<Int>
        let text: [UInt8]
    }

    /// Applies changes of which each stands in front of the one before it.
    private static func applying(_ changes: [Change], to lines: LineIndex) -> LineIndex {
        if changes.isEmpty { return lines }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.bytes.count + changes.reduce(0) { $0 + $1.text.count })
        var position = 0
        for change in changes.reversed() {
            bytes += lines.bytes[position..<change.range.lowerBound]
            bytes += change.text
            position = change.range.upperBound
        }
        bytes += lines.bytes[position...]
        return LineIndex(bytes)
    }
}
