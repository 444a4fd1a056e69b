/// Computes the escape sequences that change a terminal from one canvas to the next.
///
/// Only the cells that differ are written, so an equal canvas needs no output; and those behind a character of
/// which some terminals make more columns. The first frame and a frame of another size clear the screen. A frame
/// stands between the marks of synchronized output (mode 2026), so that a terminal that knows them shows it at
/// once. The cursor is left where the canvas has one, and is hidden if it has none. The renderer does no input or
/// output: the caller must write the returned text completely and in order. The terminal must not wrap at the last
/// column (``Terminal`` turns wrapping off).
public struct Renderer: Sendable {
    private let colorMode: ColorMode
    private var shown: Canvas?
    /// The cursor that the terminal shows.
    private var cursor: Canvas.Cursor?

    /// Makes a renderer for a screen with unknown contents and without a cursor.
    public init(colorMode: ColorMode = .sixteen) {
        self.colorMode = colorMode
    }

    /// Forgets the contents of the screen, so that the next frame is drawn completely. The screen has no cursor.
    public mutating func invalidate() {
        (shown, cursor) = (nil, nil)
    }

    /// The escape sequences that make the terminal show the canvas.
    public mutating func render(_ canvas: Canvas) -> String {
        var output = ""
        let previous: Canvas
        if let shown, shown.size == canvas.size {
            previous = shown
        } else {
            previous = Canvas(size: canvas.size)
            output += Style.plain.escapeSequence + "\u{1B}[2J"
        }
        var pen = Pen(colorMode: colorMode)
        for row in 0..<canvas.size.height {
            // The column before which something may be left of a character that takes more columns than it should.
            var clean = 0
            for column in 0..<canvas.size.width {
                let old = previous.cell(column: column, row: row)
                guard let cell = canvas.cell(column: column, row: row), cell != old || column < clean else { continue }
                for cell in [old, cell].compactMap(\.self) where !cell.isContinuation {
                    clean = max(clean, column + cell.greatestWidth)
                }
                if !cell.isContinuation { pen.write(cell, column: column, row: row, to: &output) }
            }
        }
        pen.finish(&output)
        moveCursor(to: canvas.cursor, &output)
        shown = canvas
        return output.isEmpty ? "" : "\u{1B}[?2026h" + output + "\u{1B}[?2026l"
    }

    /// Shows the cursor at its place, also after cells were written, or hides it.
    private mutating func moveCursor(to place: Canvas.Cursor?, _ output: inout String) {
        guard place != cursor || place != nil && !output.isEmpty else { return }
        if let place {
            output += "\u{1B}[\(place.row + 1);\(place.column + 1)H" + (cursor == nil ? "\u{1B}[?25h" : "")
        } else {
            output += "\u{1B}[?25l"
        }
        cursor = place
    }
}

/// The position of the cursor and the current style while a frame is written.
private struct Pen {
    let colorMode: ColorMode
    private var style = Style.plain
    /// The position; nil at the beginning, and after a character whose width differs between terminals.
    private var cursor: (column: Int, row: Int)?

    init(colorMode: ColorMode) {
        self.colorMode = colorMode
    }

    mutating func write(_ cell: Cell, column: Int, row: Int, to output: inout String) {
        move(to: column, row, &output)
        let wanted = cell.style.reduced(to: colorMode)
        if wanted != style {
            output += wanted.escapeSequence
            style = wanted
        }
        let width = cell.character.displayWidth
        if cell.character.hasCertainWidth {
            output.append(cell.character)
            cursor = (column + width, row)
            return
        }
        // A terminal that gives the character fewer columns, or does not know it, leaves columns as they are. So all
        // are cleared before.
        output += String(repeating: " ", count: width)
        cursor = nil
        move(to: column, row, &output)
        output.append(cell.character.withoutJoinerAtItsEnd)
        cursor = nil
    }

    private mutating func move(to column: Int, _ row: Int, _ output: inout String) {
        guard cursor?.column != column || cursor?.row != row else { return }
        output += "\u{1B}[\(row + 1);\(column + 1)H"
        cursor = (column, row)
    }

    mutating func finish(_ output: inout String) {
        guard style != .plain else { return }
        output += Style.plain.escapeSequence
        style = .plain
    }
}

extension Character {
    /// The character as it can be written before others: terminals join to it whatever they are sent next.
    fileprivate var withoutJoinerAtItsEnd: Character {
        guard unicodeScalars.count > 1, unicodeScalars.last == "\u{200D}" else { return self }
        let count = unicodeScalars.reversed().prefix { $0 == "\u{200D}" }.count
        return String(String.UnicodeScalarView(unicodeScalars.dropLast(count))).first ?? " "
    }
}

extension Cell {
    /// The columns that a terminal may give to the character. A single code point is counted as all terminals do.
    fileprivate var greatestWidth: Int { character.isASCII ? 1 : character.greatestWidth }
}
