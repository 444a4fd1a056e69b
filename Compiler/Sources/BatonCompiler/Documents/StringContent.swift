import BatonDiagnostics

/// The text of a Swift string literal with the place of every byte in the file.
struct StringContent {
    private(set) var text: [UInt8] = []
    private(set) var segments: [SourceFile.Derivation.Segment] = []
    /// Where in the file the next byte would continue the last segment.
    private var expected = -1

    /// Adds a byte as it stands in the file.
    mutating func append(_ byte: UInt8, at position: Int) {
        if position != expected {
            segments.append(.init(derived: text.count, original: position))
        }
        text.append(byte)
        expected = position + 1
    }

    /// Adds what an escape sequence stands for.
    mutating func append(_ bytes: [UInt8], from start: Int, to end: Int) {
        if !bytes.isEmpty { segments.append(.init(derived: text.count, original: start)) }
        text += bytes
        expected = -1
    }

    /// Drops the first and last line break of a literal on several lines, and from each line the indentation of the closing quotes.
    mutating func removeIndentation(closingAt end: Int, in file: [UInt8]) {
        var lineStart = end
        while lineStart > 0, file[lineStart - 1] == 0x20 || file[lineStart - 1] == 0x09 { lineStart -= 1 }
        let indentation = file[lineStart..<end]
        let positions = positionsInFile()
        var result = StringContent()
        var index = 0
        var isFirstLine = true
        while index <= text.count {
            let lineEnd = text[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
            var next = lineEnd + 1
            if lineEnd + 1 < text.count, text[lineEnd] == 0x0D, text[lineEnd + 1] == 0x0A { next += 1 }
            let isLastLine = lineEnd == text.count
            if !isFirstLine, !isLastLine || index < text.count {
                var start = index
                if text[index..<lineEnd].starts(with: indentation) {
                    start += indentation.count
                } else {
                    while start < lineEnd, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
                }
                for offset in start..<lineEnd { result.append(text[offset], at: positions[offset]) }
            }
            if isLastLine { break }
            if !isFirstLine { result.append(0x0A, at: positions[lineEnd]) }
            isFirstLine = false
            index = next
        }
        self = result
    }

    private func positionsInFile() -> [Int] {
        var positions: [Int] = []
        positions.reserveCapacity(text.count)
        var segment = 0
        for offset in text.indices {
            while segment + 1 < segments.count, segments[segment + 1].derived <= offset { segment += 1 }
            positions.append(segments[segment].original + offset - segments[segment].derived)
        }
        return positions
    }
}
