extension Character {
    /// The number of columns that a terminal gives to this character.
    ///
    /// Control characters and lone combining marks have 0. East Asian wide and full-width characters have 2 (Unicode
    /// Standard Annex 11), and so have characters with emoji presentation and sequences of emoji (Technical Standard
    /// 51). Otherwise terminals count code points: a vowel sign of Devanagari or Tamil that takes space has a column
    /// beside that of its consonant, and so has each consonant of a conjunct.
    public var displayWidth: Int {
        if let ascii = asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        // A mark without a character has nothing to stand on.
        guard let base = unicodeScalars.first, !base.isMark else { return 0 }
        let columns = base.columns
        // Swift may know emoji that are younger than the table.
        if columns == 2 || base.properties.isEmojiPresentation { return 2 }
        let rest = unicodeScalars.dropFirst()
        if rest.contains(where: { $0 == "\u{FE0F}" || $0.properties.isEmojiModifier }) { return 2 }
        return rest.reduce(columns) { $0 + $1.columns }
    }

    /// The number of columns that the character may take in a terminal that draws each part of it by itself. A terminal
    /// that knows fewer sequences of emoji draws several.
    var greatestWidth: Int {
        guard unicodeScalars.count > 1 else { return displayWidth }
        return max(
            displayWidth, unicodeScalars.reduce(0) { $0 + ($1.properties.isEmojiPresentation ? 2 : $1.columns) })
    }

    /// True if every terminal gives the character the same number of columns: a single code point of ASCII, Latin,
    /// Greek, Cyrillic, box drawing, kana, Hangul, or an ideograph.
    var hasCertainWidth: Bool {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return false }
        return switch scalar.value {
        case 0x20...0x7E, 0xC0...0x2AF, 0x391...0x3C9, 0x410...0x44F, 0x2500...0x259F, 0x3041...0x3096, 0x30A1...0x30FA,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E:
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// True for what combines with a character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The columns of the code point by itself, as terminals add them up.
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .surrogate:
            return 0
        case .spacingMark: return 1
        default: break
        }
        // The vowels and final consonants of a Hangul syllable share the columns of its first one.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return isWide ? 2 : 1
    }

    /// True for code points of two columns, by binary search in the table.
    private var isWide: Bool {
        guard value >= WideRanges.all[0].lowerBound else { return false }
        var range = WideRanges.all.indices
        while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
            let candidate = WideRanges.all[middle]
            if candidate.contains(value) { return true }
            range = value < candidate.lowerBound ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return false
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
}
