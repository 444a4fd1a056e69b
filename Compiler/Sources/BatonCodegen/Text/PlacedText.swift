import BatonDiagnostics

/// A printed text, with the places of its selections in the documents.
package struct PlacedText {
    package private(set) var text = ""
    /// The UTF-8 offsets in the text at which selections begin, with their places in the documents; nil if places are
    /// not recorded.
    private var places: [(offset: Int, span: Span)]?

    init(places: [(offset: Int, span: Span)]? = nil) {
        self.places = places
    }

    static func += (text: inout PlacedText, part: String) { text.text += part }

    /// Notes that the next printed text comes from a place.
    mutating func note(_ span: Span) {
        places?.append((text.utf8.count, span))
    }

    /// The place of the last selection that begins at an offset or before it; nil before the first selection.
    /// `Span.none` is the place of selections that the compiler added.
    package func place(at offset: Int) -> Span? {
        places?.last { $0.offset <= offset }?.span
    }
}
