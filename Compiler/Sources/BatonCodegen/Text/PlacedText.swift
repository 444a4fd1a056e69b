import BatonDiagnostics

/// A text that is printed, with the places in the documents of what it is printed from.
package struct PlacedText {
    package private(set) var text = ""
    /// The offsets in the text, in UTF-8, at which selections begin, with their places in the documents; nil if the
    /// places are not asked for.
    private var places: [(offset: Int, span: Span)]?

    init(places: [(offset: Int, span: Span)]? = nil) {
        self.places = places
    }

    static func += (text: inout PlacedText, part: String) { text.text += part }

    /// Notes that what is printed next comes from a place.
    mutating func note(_ span: Span) {
        places?.append((text.utf8.count, span))
    }

    /// The place of the last selection that begins at an offset or before it; nil before the first one. `Span.none` is
    /// the place of what the compiler added.
    package func place(at offset: Int) -> Span? {
        places?.last { $0.offset <= offset }?.span
    }
}
