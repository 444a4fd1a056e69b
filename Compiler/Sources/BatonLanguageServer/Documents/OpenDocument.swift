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
    package mutating func apply(_ changes: [JSONValue], version: Int?) -> Bool {
        self.version = version
        for change in changes {
            guard let text = change["text"]?.string else { return false }
            guard let json = change["range"], json != .null else {
                lines = LineIndex(Array(text.utf8))
                continue
            }
            guard let range = TextRange(json) else { return false }
            var bytes = lines.bytes
            bytes.replaceSubrange(lines.offsets(of: range), with: text.utf8)
            lines = LineIndex(bytes)
        }
        return true
    }
}
