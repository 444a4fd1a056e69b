/// A text as a key of a dictionary, equal to another of the same bytes only.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }
}

extension String {
    /// `==` takes canonically equivalent text for equal; a store must not.
    @inline(__always)
    func hasSameBytes(as other: String) -> Bool {
        guard self == other, utf8.count == other.utf8.count else { return false }
        // Text that is as long in UTF-16 is ASCII, which the library knows without counting; what is equivalent to
        // ASCII but not the same is longer.
        return utf16.count == utf8.count || utf8.elementsEqual(other.utf8)
    }
}
