extension Character {
    /// The number of columns that a terminal gives to this character: 0, 1 or 2.
    ///
    /// Control characters, lone combining marks and lone emoji modifiers have 0. East Asian wide and full-width
    /// characters and characters with emoji presentation have 2 (Unicode Standard Annex 11 and Technical Standard 51).
    public var displayWidth: Int {
        if let ascii = asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        guard let base = unicodeScalars.first else { return 0 }
        switch base.properties.generalCategory {
        case .control, .format, .nonspacingMark, .spacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator,
            .surrogate:
            return 0
        default: break
        }
        if base.properties.isEmojiModifier, unicodeScalars.count == 1 { return 0 }
        if base.properties.isEmojiPresentation || base.isEastAsianWide { return 2 }
        return unicodeScalars.contains("\u{FE0F}") ? 2 : 1
    }
}

extension StringProtocol {
    /// The number of columns that a terminal gives to this text on one line.
    public var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The longest prefix that fits into the columns, with an ellipsis if the text is cut.
    public func truncated(toWidth width: Int) -> String {
        guard displayWidth > width else { return String(self) }
        guard width > 0 else { return "" }
        var result = ""
        var used = 0
        for character in self {
            guard used + character.displayWidth <= width - 1 else { break }
            result.append(character)
            used += character.displayWidth
        }
        return result + "\u{2026}"
    }

    /// The text, cut or padded with spaces to exactly this number of columns.
    public func padded(toWidth width: Int) -> String {
        let text = truncated(toWidth: width)
        return text + String(repeating: " ", count: Swift.max(0, width - text.displayWidth))
    }

    /// The text in lines of at most this number of columns, broken at spaces; a longer word is cut into pieces.
    ///
    /// With a width of 0, the result is empty.
    public func wrapped(toWidth width: Int) -> [String] {
        guard width > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in split(whereSeparator: \.isWhitespace) {
            for piece in word.pieces(ofWidth: width) {
                if line.isEmpty {
                    line = piece
                } else if line.displayWidth + 1 + piece.displayWidth <= width {
                    line += " " + piece
                } else {
                    lines.append(line)
                    line = piece
                }
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private func pieces(ofWidth width: Int) -> [String] {
        guard displayWidth > width else { return [String(self)] }
        var pieces: [String] = []
        var piece = ""
        for character in self {
            if !piece.isEmpty, piece.displayWidth + character.displayWidth > width {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return pieces + [piece]
    }
}

extension Unicode.Scalar {
    fileprivate var isEastAsianWide: Bool {
        guard value >= 0x1100 else { return false }
        return eastAsianWideRanges.contains { $0.contains(value) }
    }
}

/// The blocks whose East Asian Width is W or F; blocks with only unassigned code points between them are joined.
private let eastAsianWideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x16FFF, 0x17000...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
]
