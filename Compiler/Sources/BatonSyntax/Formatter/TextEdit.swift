/// A replacement of a range of bytes in a text.
package struct TextEdit: Hashable, Sendable {
    /// UTF-8 byte offsets in the text before all edits.
    package let range: Range<Int>
    package let replacement: [UInt8]

    package init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

extension [TextEdit] {
    /// The text after all edits, which are sorted and do not overlap.
    package func applied(to bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        for edit in self {
            let range = edit.range.clamped(to: position..<bytes.count)
            output += bytes[position..<range.lowerBound]
            output += edit.replacement
            position = range.upperBound
        }
        return output + bytes[position...]
    }

    /// The edits that touch a range of the text.
    package func touching(_ range: Range<Int>) -> [TextEdit] {
        filter { $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound }
    }
}
