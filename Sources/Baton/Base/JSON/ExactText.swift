/// A text as a key of a dictionary. Two keys are equal only if they have the same bytes.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    /// Hashes the bytes. Texts that are canonically equivalent have one hash as strings, and a server could send any
    /// number of them.
    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }
}

extension String {
    /// Compares byte by byte. In contrast, `==` finds canonically equivalent texts equal, which a store must not do.
    @inline(__always)
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        // A text of the same length in UTF-8 and UTF-16 is ASCII, and the library knows both lengths of ASCII without
        // counting. A text that is equivalent to ASCII but has other bytes is longer in UTF-8.
        return utf16.count == utf8.count || utf8.elementsEqual(other.utf8)
    }
}
