extension String {
    /// The text without the sequences that command a terminal (ECMA-48, 5.3 to 5.6), each with all of its characters.
    ///
    /// A control string, such as the title of a window, that has no end goes up to the end of its line.
    var withoutEscapeSequences: String {
        var stripper = SequenceStripper()
        for scalar in unicodeScalars { stripper.take(scalar) }
        return stripper.text
    }
}

/// Takes code points one by one, and keeps those that belong to no sequence.
private struct SequenceStripper {
    private enum State {
        case text
        /// After ESC, and after its intermediate characters.
        case escape
        case controlSequence
        case controlString
    }

    private(set) var text = ""
    private var state = State.text

    mutating func take(_ scalar: Unicode.Scalar) {
        switch (state, scalar.value) {
        case (_, 0x1B): state = .escape
        case (.text, 0x9B), (.escape, 0x5B): state = .controlSequence
        case (.text, 0x90), (.text, 0x98), (.text, 0x9D...0x9F): state = .controlString
        case (.escape, 0x50), (.escape, 0x58), (.escape, 0x5D...0x5F): state = .controlString
        case (.escape, 0x20...0x2F), (.controlSequence, 0x20...0x3F): break
        case (.escape, 0x30...0x7E), (.controlSequence, 0x40...0x7E), (.controlString, 0x07), (.controlString, 0x9C):
            state = .text
        case (.controlString, let value) where value != 0x0A && value != 0x0D: break
        default:
            // Whatever cannot be in a sequence ends it.
            state = .text
            text.unicodeScalars.append(scalar)
        }
    }
}
