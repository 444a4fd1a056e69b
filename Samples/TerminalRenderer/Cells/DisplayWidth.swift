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
        // Swift may know emoji that are younger than the table.
        if base.isWide || base.properties.isEmojiPresentation { return 2 }
        return unicodeScalars.contains("\u{FE0F}") ? 2 : 1
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
    /// True for code points of two columns, by binary search in the table.
    fileprivate var isWide: Bool {
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
