/// Turns canvases into the escape sequences that lead a terminal from each one to the next.
///
/// Only the cells that differ are written, so an equal canvas costs no output at all. The first frame and a frame of
/// another size clear the screen. The renderer is a value without input or output: what it returns is for the caller to
/// write, whole and in order. It expects a terminal that does not wrap at the last column (``Terminal`` sees to that).
public struct Renderer: Sendable {
    private let colorMode: ColorMode
    private var shown: Canvas?

    /// Makes a renderer for a screen of unknown content.
    public init(colorMode: ColorMode = .sixteen) {
        self.colorMode = colorMode
    }

    /// Forgets what the screen shows, so that the next frame is drawn in full.
    public mutating func invalidate() {
        shown = nil
    }

    /// The sequences to write so that the terminal shows the canvas.
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
            for column in 0..<canvas.size.width {
                guard let cell = canvas.cell(column: column, row: row), !cell.isContinuation,
                    cell != previous.cell(column: column, row: row)
                else { continue }
                pen.write(cell, column: column, row: row, to: &output)
            }
        }
        pen.finish(&output)
        shown = canvas
        return output
    }
}

/// Where the cursor is and which style is on while one frame is written.
private struct Pen {
    let colorMode: ColorMode
    private var style = Style.plain
    /// Unknown at the beginning, and after a character whose width terminals do not agree on.
    private var cursor: (column: Int, row: Int)?

    init(colorMode: ColorMode) {
        self.colorMode = colorMode
    }

    mutating func write(_ cell: Cell, column: Int, row: Int, to output: inout String) {
        if cursor?.column != column || cursor?.row != row {
            output += "\u{1B}[\(row + 1);\(column + 1)H"
        }
        let wanted = colorMode == .none ? cell.style.withoutColor : cell.style
        if wanted != style {
            output += wanted.escapeSequence
            style = wanted
        }
        output.append(cell.character)
        cursor = cell.character.isASCII ? (column + 1, row) : nil
    }

    mutating func finish(_ output: inout String) {
        guard style != .plain else { return }
        output += Style.plain.escapeSequence
        style = .plain
    }
}
