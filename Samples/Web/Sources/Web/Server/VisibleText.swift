/// Texts that people typed, for others to read.
enum VisibleText {
    /// The text without what cannot be seen and changes how the rest is read: control characters, and marks that turn
    /// the direction of what follows them.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - keepingLines: Whether line ends and tabs stay.
    static func cleaned(_ text: String, keepingLines: Bool = false) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: if keepingLines, scalar == "\n" || scalar == "\t" { scalars.append(scalar) }
            // Some scripts and signs join with the help of these two.
            case .format: if scalar == "\u{200C}" || scalar == "\u{200D}" { scalars.append(scalar) }
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// True if nothing of the text can be seen.
    static func isBlank(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isSeen) }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .unassigned, .privateUse: return false
        default: break
        }
        // The blank of Braille is a sign without a dot.
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
    }
}
