/// The size of a grid in cells; never negative.
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public let width: Int
    /// The number of rows.
    public let height: Int

    /// Makes a size; negative numbers count as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }
}

/// A rectangle of cells, with the origin at the top left corner. A component draws inside a rectangle and is clipped to
/// it.
///
/// The cutting functions never fail: they return at most the cells of the rectangle. A layout for 80x24 therefore also
/// works for 1x1.
public struct Rect: Hashable, Sendable {
    /// The first column.
    public let column: Int
    /// The first row.
    public let row: Int
    /// The size of the rectangle.
    public let size: Size

    /// The number of columns.
    public var width: Int { size.width }
    /// The number of rows.
    public var height: Int { size.height }
    /// True if the rectangle has no cells.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// Makes a rectangle; a negative width or height counts as 0.
    public init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.size = Size(width: width, height: height)
    }

    /// Makes the rectangle of a whole grid.
    public init(_ size: Size) {
        self.init(column: 0, row: 0, width: size.width, height: size.height)
    }

    /// Cuts rows off the top; returns the cut part and the rest below.
    public func cuttingTop(_ rows: Int) -> (top: Rect, rest: Rect) {
        let cut = min(max(0, rows), height)
        return (
            Rect(column: column, row: row, width: width, height: cut),
            Rect(column: column, row: row + cut, width: width, height: height - cut)
        )
    }

    /// Cuts rows off the bottom; returns the rest above and the cut part.
    public func cuttingBottom(_ rows: Int) -> (rest: Rect, bottom: Rect) {
        let parts = cuttingTop(height - min(max(0, rows), height))
        return (parts.top, parts.rest)
    }

    /// Cuts columns off the left; returns the cut part and the rest to the right.
    public func cuttingLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
        let cut = min(max(0, columns), width)
        return (
            Rect(column: column, row: row, width: cut, height: height),
            Rect(column: column + cut, row: row, width: width - cut, height: height)
        )
    }

    /// The rectangle without columns at its sides, and without rows at its top and bottom.
    public func inset(horizontal: Int, vertical: Int) -> Rect {
        let inner = cuttingTop(vertical).rest.cuttingBottom(vertical).rest
        let narrow = inner.cuttingLeft(horizontal).rest
        return narrow.cuttingLeft(narrow.width - min(max(0, horizontal), narrow.width)).left
    }

    /// A rectangle of this size in the middle, cut off at the edges.
    public func centered(_ size: Size) -> Rect {
        let (width, height) = (min(size.width, self.width), min(size.height, self.height))
        return Rect(
            column: column + (self.width - width) / 2, row: row + (self.height - height) / 2, width: width,
            height: height)
    }

    /// True if the cell is in the rectangle.
    public func contains(column: Int, row: Int) -> Bool {
        (self.column..<self.column + width).contains(column) && (self.row..<self.row + height).contains(row)
    }

    /// One row of the rectangle, counted from its top; empty for an index outside the rectangle.
    public func line(_ index: Int) -> Rect {
        guard index >= 0 else { return Rect(column: column, row: row, width: width, height: 0) }
        return cuttingTop(index).rest.cuttingTop(1).top
    }

    /// The cells that are in both rectangles.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left,
            row: top,
            width: min(column + width, other.column + other.width) - left,
            height: min(row + height, other.row + other.height) - top
        )
    }
}
