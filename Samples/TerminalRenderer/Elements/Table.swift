/// The columns that the rows of a list share, and their titles.
///
///     let films = Table([
///         .init("Title", .share(2)), .init("Year", .columns(4), fromWidth: 40),
///     ])
///     films.header
///     films.row([Text(film.title), Text("\(film.year)")])
public struct Table: Hashable, Sendable {
    /// One column of a table.
    public struct Column: Hashable, Sendable {
        /// The width of a column.
        public enum Width: Hashable, Sendable {
            /// A number of columns of the terminal.
            case columns(Int)
            /// A share of what the others leave over.
            case share(Int)
        }

        let title: String
        let width: Width
        let alignment: Text.Alignment
        let fromWidth: Int

        /// Makes a column.
        ///
        /// - Parameters:
        ///   - title: the text in the header.
        ///   - width: the width.
        ///   - alignment: the side on which the texts begin.
        ///   - fromWidth: the width of the table from which on the column is shown.
        public init(_ title: String, _ width: Width, _ alignment: Text.Alignment = .left, fromWidth: Int = 0) {
            self.title = title
            self.width = width
            self.alignment = alignment
            self.fromWidth = fromWidth
        }
    }

    private let columns: [Column]

    /// Makes a table of these columns.
    public init(_ columns: [Column]) { self.columns = columns }

    /// The titles of the columns, in the theme's style of hints.
    public var header: some Element {
        TableRow(columns, columns.map { Text($0.title) }, isHeader: true)
    }

    /// A row with one text for each column; texts that are missing are empty, and others are left out.
    public func row(_ texts: [Text]) -> some Element { TableRow(columns, texts, isHeader: false) }
}

/// A row of a table, in as many columns as there is space for.
private struct TableRow: Element {
    private let columns: [Table.Column]
    private let texts: [Text]
    private let isHeader: Bool

    init(_ columns: [Table.Column], _ texts: [Text], isHeader: Bool) {
        self.columns = columns
        self.texts = texts
        self.isHeader = isHeader
    }

    func size(within limits: Size, of frame: Frame) -> Size {
        Size(width: limits.width, height: min(1, limits.height))
    }

    func draw(in rect: Rect, of frame: Frame) {
        let shown = columns.indices.filter { columns[$0].fromWidth <= rect.width }
        var cells: [any Element] = []
        for index in shown {
            let text = texts.indices.contains(index) ? texts[index].aligned(columns[index].alignment) : Text("")
            switch columns[index].width {
            case .columns(let width): cells.append(text.frame(width: width))
            case .share(let share): cells.append(text.filling(width: share, height: 0))
            }
        }
        Row(cells, gap: 1).draw(in: rect, of: frame)
        if isHeader { frame.canvas.restyle(rect) { $0 = frame.theme.hint } }
    }
}
