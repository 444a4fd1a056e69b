/// A line and a column, both counted from 1.
///
/// A line ends with LF, CR or CRLF, as in GraphQL. A column counts Unicode scalars, so a combining accent has a column
/// of its own, and a tab is one column. A byte order mark at the beginning of a text has no column.
package struct SourceLocation: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// The positions of a text's lines. A table is made once for each text, and asked often.
package struct LineTable: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    /// The number of scalars before each 256th byte, so that a column in a long line is found without reading the line.
    private let scalars: [Int]

    private static let stride = 256

    package init(bytes: [UInt8]) {
        var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        var index = 0
        var scalars: [Int] = []
        var seen = 0
        for (index, byte) in bytes.enumerated() {
            if index % Self.stride == 0 { scalars.append(seen) }
            if byte & 0xC0 != 0x80 { seen += 1 }
        }
        let count = bytes.count
        while index < count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A {
                starts.append(index)
            } else if byte == 0x0D {
                if index < count, bytes[index] == 0x0A { index += 1 }
                starts.append(index)
            }
        }
        self.bytes = bytes
        self.starts = starts
        self.scalars = scalars
    }

    /// The number of lines; a text that ends with a line break has an empty last line.
    package var count: Int { starts.count }

    /// The line and column of an offset; an offset beyond the text counts as its end.
    package func location(ofOffset offset: Int) -> SourceLocation {
        let offset = min(max(offset, starts[0]), bytes.count)
        let line = lineIndex(ofOffset: offset)
        let column = scalarCount(before: offset) - scalarCount(before: starts[line]) + 1
        return SourceLocation(line: line + 1, column: column)
    }

    private func scalarCount(before offset: Int) -> Int {
        let block = min(offset / Self.stride, scalars.count - 1)
        guard block >= 0 else { return 0 }
        return bytes[block * Self.stride..<offset].reduce(scalars[block]) { $1 & 0xC0 != 0x80 ? $0 + 1 : $0 }
    }

    /// The bytes of a line without its line break; lines count from 1.
    package func bytes(ofLine line: Int) -> ArraySlice<UInt8> {
        guard line >= 1, line <= starts.count else { return [] }
        let start = starts[line - 1]
        var end = line < starts.count ? starts[line] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return bytes[start..<end]
    }

    private func lineIndex(ofOffset offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}
