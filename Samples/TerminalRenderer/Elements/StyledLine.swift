/// One line of characters in their styles.
struct StyledLine {
    private var characters: [(character: Character, style: Style)] = []
    private(set) var width = 0

    private mutating func append(_ character: Character, _ style: Style) {
        // A terminal goes to a column by its own rule, so a tab is spaces here.
        if character == "\t" {
            for _ in 0..<4 - width % 4 { append(" ", style) }
            return
        }
        let width = character.displayWidth
        guard width > 0 else { return }
        characters.append((character, style))
        self.width += width
    }

    /// The lines of a text; at least one, which may be empty.
    static func lines(of spans: [Text.Span]) -> [StyledLine] {
        var lines = [StyledLine()]
        for span in spans {
            for character in span.text {
                if character.isNewline {
                    lines.append(StyledLine())
                } else {
                    lines[lines.count - 1].append(character, span.style)
                }
            }
        }
        return lines
    }

    /// The line in pieces of at most this number of columns, broken at spaces, of which those at a break are left out.
    /// A longer word is cut. Without columns the result is empty.
    func wrapped(toWidth limit: Int) -> [StyledLine] {
        guard limit > 0 else { return [] }
        guard width > limit else { return [self] }
        var lines: [StyledLine] = []
        var line = StyledLine()
        /// The number of characters up to the end of the last word that fits, and those to skip after it.
        var lastBreak: (end: Int, next: Int)?
        for (character, style) in characters {
            if character == " ", line.width >= limit {
                // The space after a full line.
                lastBreak = (line.characters.count, line.characters.count)
                continue
            }
            if line.width + character.displayWidth > limit {
                let cut = lastBreak ?? (line.characters.count, line.characters.count)
                let rest = line.characters[cut.next...]
                line.characters.removeSubrange(cut.end...)
                lines.append(line.measured)
                line = StyledLine(rest)
                lastBreak = nil
            }
            if character == " ", let last = line.characters.last, last.character != " " {
                lastBreak = (line.characters.count, line.characters.count + 1)
            } else if character == " ", let end = lastBreak?.end {
                lastBreak = (end, line.characters.count + 1)
            }
            line.append(character, style)
        }
        return lines + [line]
    }

    private init() {}

    private init(_ characters: ArraySlice<(character: Character, style: Style)>) {
        for (character, style) in characters { append(character, style) }
    }

    private var measured: StyledLine { StyledLine(characters[...]) }

    /// Draws the line, with an ellipsis if it is cut.
    @MainActor
    func draw(in rect: Rect, of frame: Frame) {
        guard !rect.isEmpty else { return }
        let limit = width > rect.width ? rect.width - 1 : rect.width
        var used = 0
        var rest = rect
        for (character, style) in characters {
            let width = character.displayWidth
            guard used + width <= limit else {
                frame.canvas.draw("\u{2026}", in: rest, style: style)
                return
            }
            rest = frame.canvas.draw(String(character), in: rest, style: style)
            used += width
        }
    }
}
