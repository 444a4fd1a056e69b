/// The lines of a text, to translate between positions of the protocol and offsets in bytes.
///
/// A line ends with LF, CR or CRLF. A position beyond the end of a line stands for the end of the line, a position
/// beyond the last line for the end of the text, and a position inside a character for its beginning. Making an index
/// takes time in proportion to the text. A translation is a binary search, however long a line is.
package struct LineIndex: Sendable {
    package let bytes: [UInt8]
    private let starts: [Int]
    /// The number of UTF-16 units before each 256th byte of the text.
    private let units: [Int]

    private static let stride = 256

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var units: [Int] = []
        units.reserveCapacity(bytes.count / Self.stride + 1)
        bytes.withUnsafeBufferPointer { buffer in
            var seen = 0
            for index in buffer.indices {
                let byte = buffer[index]
                if index % Self.stride == 0 { units.append(seen) }
                seen += Self.units(of: byte)
                guard byte == 0x0A || byte == 0x0D else { continue }
                if byte == 0x0D, index + 1 < buffer.count, buffer[index + 1] == 0x0A { continue }
                starts.append(index + 1)
            }
        }
        self.starts = starts
        self.units = units
    }

    package var lineCount: Int { starts.count }

    /// Whether the text is larger than 1 MB. Editors ask for all symbols, semantic tokens and folding ranges of a text
    /// by themselves and after each edit. Those of a large text would keep all other requests waiting for seconds.
    package var isLarge: Bool { bytes.count > 1_000_000 }

    package func offset(of position: TextPosition) -> Int {
        guard position.line < starts.count else { return bytes.count }
        let start = starts[position.line]
        let end = contentEnd(ofLine: position.line)
        let wanted = unitCount(before: start) + min(position.character, bytes.count)
        // The last block that begins at the position or before it.
        var (low, high) = (start / Self.stride, end / Self.stride + 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if middle < units.count, units[middle] <= wanted { low = middle } else { high = middle }
        }
        var index = max(start, low * Self.stride)
        var seen = unitCount(before: index)
        while index < end {
            seen += Self.units(of: bytes[index])
            if seen > wanted { return index }
            index += 1
        }
        return end
    }

    package func position(of offset: Int) -> TextPosition {
        let offset = min(max(offset, 0), bytes.count)
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        let line = max(low - 1, 0)
        return TextPosition(line: line, character: unitCount(before: offset) - unitCount(before: starts[line]))
    }

    package func range(of range: Range<Int>) -> TextRange {
        TextRange(start: position(of: range.lowerBound), end: position(of: range.upperBound))
    }

    package func offsets(of range: TextRange) -> Range<Int> {
        let start = offset(of: range.start)
        return start..<max(start, offset(of: range.end))
    }

    /// The end of a line without its line break.
    private func contentEnd(ofLine line: Int) -> Int {
        guard line + 1 < starts.count else { return bytes.count }
        var end = starts[line + 1] - 1
        if end > starts[line], bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }

    private func unitCount(before offset: Int) -> Int {
        let block = min(offset / Self.stride, units.count - 1)
        guard block >= 0 else { return 0 }
        return bytes[(block * Self.stride)..<offset].reduce(units[block]) { $0 + Self.units(of: $1) }
    }

    /// The number of UTF-16 units of a character if the byte is its first one; 0 for the other bytes.
    private static func units(of byte: UInt8) -> Int {
        if byte & 0xC0 == 0x80 { return 0 }
        return byte >= 0xF0 ? 2 : 1
    }
}
