extension String {
    /// The text on one line, without characters that control a terminal. Control characters and characters that reorder
    /// or hide text are written as escapes such as `\n` and `\u{1B}`.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var output = ""
        for scalar in unicodeScalars {
            if scalar.isPrintable {
                output.unicodeScalars.append(scalar)
            } else {
                output += scalar.escaped(asASCII: true)
            }
        }
        return output
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is visible text without any other effect; false for tabs and line breaks.
    package var isPrintable: Bool {
        if value < 0x7F { return value >= 0x20 }
        if value < 0xA0 { return false }
        switch properties.generalCategory {
        // Joiners are part of scripts and emoji; other format characters hide or reorder their neighbours.
        case .format: return value == 0x200C || value == 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        default: return true
        }
    }

    /// The number of terminal cells of the scalar: 0 for a scalar that joins the character before it, 2 for East Asian
    /// wide characters and emoji, and 1 for others. This approximation is right for most fonts.
    var terminalWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
