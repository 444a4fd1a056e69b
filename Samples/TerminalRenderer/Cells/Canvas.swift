/// The contents of one column of one row.
public struct Cell: Hashable, Sendable {
    /// The character; a space if nothing was drawn. The further columns of a wide character repeat the character.
    public let character: Character
    /// The style of the character.
    public let style: Style
    /// True for the further columns of a wide character, which are never written separately.
    public let isContinuation: Bool

    init(_ character: Character, style: Style, isContinuation: Bool = false) {
        self.character = character
        self.style = style
        self.isContinuation = isContinuation
    }

    /// A plain space.
    public static let blank = Cell(" ", style: .plain)
}

/// A grid of cells for one frame.
///
/// Drawing outside of the grid or of its clip is ignored, so that drawing never fails. A wide character takes two
/// columns or more (``Swift/Character/displayWidth``). If not all of them are free, or one is overwritten, the others
/// become spaces.
public struct Canvas: Hashable, Sendable {
    /// The size of the grid.
    public let size: Size
    /// The part of the grid that is drawn on; elements set it while they draw their contents.
    public var clip: Rect {
        didSet { clip = clip.intersection(bounds) }
    }
    /// The cell at which the terminal shows its cursor, such as that of a field in which a person writes; nil for no
    /// cursor. Input methods open their windows there.
    public private(set) var cursor: Cursor?
    private var cells: [Cell]

    /// A place for the terminal's cursor.
    public struct Cursor: Hashable, Sendable {
        /// The column, counted from 0.
        public let column: Int
        /// The row, counted from 0.
        public let row: Int
    }

    /// Makes a blank grid.
    public init(size: Size) {
        self.size = size
        clip = Rect(size)
        cells = Array(repeating: .blank, count: size.width * size.height)
    }

    /// The whole grid as a rectangle.
    public var bounds: Rect { Rect(size) }

    /// The cell at a place; nil outside the grid.
    public func cell(column: Int, row: Int) -> Cell? {
        index(column: column, row: row).map { cells[$0] }
    }

    /// Places the terminal's cursor; outside of the clip there is none.
    public mutating func placeCursor(column: Int, row: Int) {
        cursor = clip.contains(column: column, row: row) ? Cursor(column: column, row: row) : nil
    }

    /// Takes the terminal's cursor away.
    public mutating func removeCursor() { cursor = nil }

    /// Draws one line of text at the top left of a rectangle, clipped to it.
    ///
    /// Characters without a width are left out: controls, line breaks, lone combining marks.
    ///
    /// - Returns: the part of the rectangle's first line after the text.
    @discardableResult
    public mutating func draw(_ text: String, in rect: Rect, style: Style = .plain) -> Rect {
        let visible = rect.line(0).intersection(clip)
        var column = rect.column
        for character in text {
            guard column < rect.column + rect.width else { break }
            let width = character.displayWidth
            guard width > 0 else { continue }
            put(character, width: width, column: column, row: rect.row, style: style, visible: visible)
            column += width
        }
        return rect.cuttingLeft(column - rect.column).rest
    }

    /// Fills a rectangle with spaces of one style.
    public mutating func clear(_ rect: Rect, style: Style = .plain) {
        let visible = rect.intersection(clip)
        guard !visible.isEmpty else { return }
        for row in visible.row..<(visible.row + visible.height) {
            for column in visible.column..<(visible.column + visible.width) {
                set(Cell(" ", style: style), column: column, row: row)
            }
        }
    }

    /// Changes the styles of the cells of a rectangle, and leaves their characters.
    public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let visible = rect.intersection(clip)
        guard !visible.isEmpty else { return }
        for row in visible.row..<(visible.row + visible.height) {
            let start = row * size.width + visible.column
            for index in start..<(start + visible.width) {
                let cell = cells[index]
                var style = cell.style
                change(&style)
                cells[index] = Cell(cell.character, style: style, isContinuation: cell.isContinuation)
            }
        }
    }

    /// The text of each row, without styles and trailing spaces.
    public var lines: [String] {
        (0..<size.height).map { row in
            var line = ""
            for cell in cells[(row * size.width)..<((row + 1) * size.width)] where !cell.isContinuation {
                line.append(cell.character)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private mutating func put(
        _ character: Character,
        width: Int,
        column: Int,
        row: Int,
        style: Style,
        visible: Rect
    ) {
        guard !visible.isEmpty else { return }
        let columns = column..<(column + width)
        let range = visible.column..<(visible.column + visible.width)
        guard range.contains(columns.lowerBound), range.contains(columns.upperBound - 1) else {
            for part in columns where range.contains(part) { set(Cell(" ", style: style), column: part, row: row) }
            return
        }
        set(Cell(character, style: style), column: column, row: row)
        for part in columns.dropFirst() {
            set(Cell(character, style: style, isContinuation: true), column: part, row: row)
        }
    }

    /// Writes a cell. If it overwrites one column of a wide character, the others become spaces.
    private mutating func set(_ cell: Cell, column: Int, row: Int) {
        guard let index = index(column: column, row: row) else { return }
        let start = row * size.width
        if !cell.isContinuation {
            var lead = index
            while cells[lead].isContinuation, lead > start { lead -= 1 }
            for part in lead..<index { cells[part] = Cell(" ", style: cells[part].style) }
        }
        var next = index + 1
        while next < start + size.width, cells[next].isContinuation {
            cells[next] = Cell(" ", style: cells[next].style)
            next += 1
        }
        cells[index] = cell
    }

    private func index(column: Int, row: Int) -> Int? {
        guard column >= 0, column < size.width, row >= 0, row < size.height else { return nil }
        return row * size.width + column
    }
}
