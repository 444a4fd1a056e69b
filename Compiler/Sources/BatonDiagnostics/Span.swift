/// A range of a source text, in twelve bytes.
package struct Span: Hashable, Sendable {
    package let source: SourceID
    /// UTF-8 byte offset of the first byte.
    package let start: UInt32
    /// UTF-8 byte offset after the last byte.
    package let end: UInt32

    package init(source: SourceID, start: UInt32, end: UInt32) {
        self.source = source
        self.start = start
        self.end = end
    }

    /// The span of predeclared and synthesized definitions, which have no source text.
    package static let none = Span(source: .predeclared, start: 0, end: 0)

    package var range: Range<Int> { Int(start)..<Int(max(start, end)) }

    /// The span from the beginning of this span to the end of another one in the same source.
    package func joined(with other: Span) -> Span {
        Span(source: source, start: min(start, other.start), end: max(end, other.end))
    }

    /// The empty span at the end of this one.
    package var tail: Span { Span(source: source, start: end, end: end) }
}

extension Span: Comparable {
    /// Orders by source, then by start, then by end.
    package static func < (left: Span, right: Span) -> Bool {
        (left.source.index, left.start, left.end) < (right.source.index, right.start, right.end)
    }
}
