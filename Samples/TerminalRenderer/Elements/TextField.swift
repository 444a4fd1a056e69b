/// A text that a person edits. With the focus it takes keys and pasted texts, and the terminal's cursor is in it.
///
///     TextField(search, isFocused: true, placeholder: "name or title") { list.reset() }
///
/// A text of one line scrolls sideways; a text with lines is wrapped, and is as high as its place.
public struct TextField: Element {
    private let input: TextInput
    private let isFocused: Bool
    private let placeholder: String
    private let style: Style
    private let changed: (@MainActor () -> Void)?

    /// Makes a field.
    ///
    /// - Parameters:
    ///   - input: the text, which the component keeps.
    ///   - isFocused: whether the field takes keys.
    ///   - placeholder: what is shown instead of an empty text.
    ///   - style: the style of the text.
    ///   - changed: runs after each change of the text.
    public init(
        _ input: TextInput, isFocused: Bool = true, placeholder: String = "", style: Style = .plain,
        changed: (@MainActor () -> Void)? = nil
    ) {
        self.input = input
        self.isFocused = isFocused
        self.placeholder = placeholder
        self.style = style
        self.changed = changed
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let height = input.hasLines ? lines(width: limits.width).count : 1
        return Size(width: limits.width, height: min(limits.height, height))
    }

    public func flexibility(of frame: Frame) -> Flexibility { Flexibility(width: 1, height: input.hasLines ? 1 : 0) }

    public func draw(in rect: Rect, of frame: Frame) {
        if isFocused {
            frame.onKey { key in edit { input.press(key) } }
            frame.onPaste { text in
                edit {
                    input.insert(text)
                    return true
                }
            }
        }
        if input.text.isEmpty {
            frame.canvas.draw(placeholder.truncated(toWidth: rect.width), in: rect, style: frame.theme.hint)
        }
        let lines = lines(width: input.hasLines ? rect.width : .max)
        let (row, column) = place(of: input.cursor, in: lines)
        if input.hasLines {
            let first = max(0, row - rect.height + 1)
            for (index, line) in lines.dropFirst(first).prefix(rect.height).enumerated() {
                frame.canvas.draw(line.text, in: rect.line(index), style: style)
            }
            drawCursor(in: rect.line(row - first), at: column, of: frame)
        } else {
            input.firstColumn = max(0, min(input.firstColumn, column), column - rect.width + 1)
            let clip = frame.canvas.clip
            defer { frame.canvas.clip = clip }
            frame.canvas.clip = clip.intersection(rect)
            let text = lines.first?.text ?? ""
            let line = Rect(
                column: rect.column - input.firstColumn, row: rect.row, width: max(1, text.displayWidth), height: 1)
            frame.canvas.draw(text, in: line, style: style)
            drawCursor(in: rect, at: column - input.firstColumn, of: frame)
        }
    }

    @MainActor
    private func edit(_ change: () -> Bool) -> Bool {
        let before = input.text
        let isTaken = change()
        if input.text != before { changed?() }
        return isTaken
    }

    @MainActor
    private func drawCursor(in rect: Rect, at column: Int, of frame: Frame) {
        guard isFocused else { return }
        frame.canvas.placeCursor(column: rect.column + column, row: rect.row)
    }

    // MARK: - Lines

    /// A line of the text, and the number of characters before it.
    private struct Line {
        var start: Int
        var text = ""
    }

    /// The lines of the text, each of at most this number of columns and a column for the cursor.
    @MainActor
    private func lines(width: Int) -> [Line] {
        var lines = [Line(start: 0)]
        for (index, character) in input.text.enumerated() {
            if character == "\n" {
                lines.append(Line(start: index + 1))
                continue
            }
            if width != .max, lines[lines.count - 1].text.displayWidth + character.displayWidth > max(1, width - 1) {
                wrap(&lines, at: index)
            }
            lines[lines.count - 1].text.append(character)
        }
        return lines
    }

    /// Begins a line, with the last word if the line has another one.
    private func wrap(_ lines: inout [Line], at index: Int) {
        let last = lines[lines.count - 1]
        guard let space = last.text.lastIndex(of: " ") else { return lines.append(Line(start: index)) }
        let word = last.text[last.text.index(after: space)...]
        lines[lines.count - 1].text = String(last.text[...space])
        lines.append(Line(start: index - word.count, text: String(word)))
    }

    private func place(of cursor: Int, in lines: [Line]) -> (row: Int, column: Int) {
        let row = lines.lastIndex { $0.start <= cursor } ?? 0
        let line = lines[row]
        return (row, line.text.prefix(cursor - line.start).displayWidth)
    }
}
