/// Prints the pieces of a layout; the time is linear in their number.
struct LayoutRenderer {
    let bytes: [UInt8]
    /// The number of columns that a line should not exceed.
    let width: Int
    /// The text at the beginning of each line.
    let indentation: [UInt8]
    let lineBreak: [UInt8]
    var output: [UInt8] = []
    private var level = 0
    private var column = 0
    private var isAtLineStart: Bool

    init(bytes: [UInt8], width: Int, indentation: [UInt8], lineBreak: [UInt8], isAtLineStart: Bool) {
        self.bytes = bytes
        self.width = width
        self.indentation = indentation
        self.lineBreak = lineBreak
        self.isAtLineStart = isAtLineStart
    }

    mutating func render(_ pieces: [LayoutPiece]) {
        let measures = Measures(pieces, bytes)
        var areFlat = [false]
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .source(let start, let end): write(bytes[Int(start)..<Int(end)])
            case .verbatim(let start, let end): write(bytes[Int(start)..<Int(end)])
            case .string(let text): write(text[...])
            case .gap(let gap): write(gap.flat)
            case .line(let gap, let isBlank):
                if areFlat.last == true {
                    write(gap.flat)
                } else {
                    breakLine(isBlank)
                    write(gap.broken)
                }
            case .hardLine(let isBlank): breakLine(isBlank)
            case .comment(let start, let end, let isTrailing):
                if isTrailing { write(LayoutGap.space.flat) }
                write(bytes[Int(start)..<Int(end)])
            case .indent: level += 1
            case .outdent: level -= 1
            case .openGroup:
                let isFlat = areFlat.last == true || measures.isFlatGroup(at: index, within: width - currentColumn)
                areFlat.append(isFlat)
            case .closeGroup:
                if areFlat.count > 1 { areFlat.removeLast() }
            }
        }
    }

    private var lineStart: Int { Measures.width(of: indentation[...]) + 2 * max(0, level) }

    private var currentColumn: Int { isAtLineStart ? lineStart : column }

    private mutating func breakLine(_ isBlank: Bool) {
        output += lineBreak
        if isBlank { output += lineBreak }
        isAtLineStart = true
    }

    private mutating func write(_ text: StaticString) {
        if text.utf8CodeUnitCount == 0 { return }
        beginLine()
        text.withUTF8Buffer { output.append(contentsOf: $0) }
        column += text.utf8CodeUnitCount
    }

    private mutating func write(_ text: ArraySlice<UInt8>) {
        if text.isEmpty { return }
        beginLine()
        output += text
        if let lineBreak = text.lastIndex(where: Measures.isLineBreak) {
            column = Measures.width(of: text[(lineBreak + 1)...])
        } else {
            column += Measures.width(of: text)
        }
    }

    private mutating func beginLine() {
        guard isAtLineStart else { return }
        isAtLineStart = false
        output += indentation
        output.append(contentsOf: repeatElement(0x20, count: 2 * max(0, level)))
        column = lineStart
    }

    /// The widths of the pieces on one line.
    private struct Measures {
        /// The width of all pieces before an index.
        private var widths: [Int] = [0]
        /// The number of pieces before an index that break their line.
        private var breaks: [Int] = [0]
        /// The width from an index to the next place where the line may break.
        private var rests: [Int]
        /// The index of the end of a group, by the index of its beginning.
        private var ends: [Int]

        init(_ pieces: [LayoutPiece], _ bytes: [UInt8]) {
            widths.reserveCapacity(pieces.count + 1)
            breaks.reserveCapacity(pieces.count + 1)
            rests = Array(repeating: 0, count: pieces.count + 1)
            ends = Array(repeating: pieces.count, count: pieces.count)
            var open: [Int] = []
            var endsLine: [Bool] = []
            endsLine.reserveCapacity(pieces.count)
            for (index, piece) in pieces.enumerated() {
                var width = 0
                var isBreak = false
                var isEnd = false
                switch piece {
                case .source(let start, let end): width = Self.width(of: bytes[Int(start)..<Int(end)])
                case .string(let text): width = Self.width(of: text[...])
                case .gap(let gap): width = gap.flat.utf8CodeUnitCount
                case .verbatim(let start, let end):
                    width = Self.width(of: bytes[Int(start)..<Int(end)].prefix { !Self.isLineBreak($0) })
                    isBreak = true
                case .line(let gap, _):
                    width = gap.flat.utf8CodeUnitCount
                    isEnd = true
                case .hardLine, .comment: isBreak = true
                case .openGroup: open.append(index)
                case .closeGroup: open.popLast().map { ends[$0] = index }
                case .indent, .outdent: break
                }
                widths.append(widths[index] + width)
                breaks.append(breaks[index] + (isBreak ? 1 : 0))
                endsLine.append(isEnd)
            }
            for index in pieces.indices.reversed() where !endsLine[index] {
                let isBreak = breaks[index + 1] > breaks[index]
                rests[index] = widths[index + 1] - widths[index] + (isBreak ? 0 : rests[index + 1])
            }
        }

        func isFlatGroup(at index: Int, within room: Int) -> Bool {
            let end = ends[index]
            if breaks[end] > breaks[index] { return false }
            return widths[end] - widths[index] + rests[end] <= room
        }

        static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

        /// The number of scalars.
        static func width(of text: ArraySlice<UInt8>) -> Int {
            text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        }
    }
}
