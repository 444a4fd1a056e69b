/// The rows of a ``List`` that are made when they are seen, and how many there are in all.
///
///     let films = handle.prefetch(data.films.nodes, distance: 10, count: 20)
///     let rows = Rows(films, of: data.films.totalCount) { $0.title }
///     Box("Films", footer: rows.place(in: state)) { List(rows, state) { title, _ in Text(title) } }
///
/// A row is made anew each time it is looked at, and kept nowhere. So the number of rows costs nothing, and those of a
/// `prefetch` load the next page when one near the end is seen.
public struct Rows<Row: Sendable>: RandomAccessCollection, Sendable {
    /// The number of rows so far.
    public let count: Int
    /// The number of all rows, those that are not loaded yet included.
    public let total: Int
    private let row: @Sendable (Int) -> Row

    /// Makes rows by a function of their index.
    public init(count: Int, of total: Int? = nil, row: @escaping @Sendable (Int) -> Row) {
        (self.count, self.total, self.row) = (count, Swift.max(count, total ?? count), row)
    }

    /// Makes a row of each element of a collection.
    public init<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements, of total: Int? = nil, row: @escaping @Sendable (Elements.Element) -> Row
    ) {
        self.init(count: elements.count, of: total) {
            row(elements[elements.index(elements.startIndex, offsetBy: $0)])
        }
    }

    /// The index of the first row.
    public var startIndex: Int { 0 }
    /// The index after the last row.
    public var endIndex: Int { count }

    /// The row at an index.
    public subscript(index: Int) -> Row { row(index) }

    /// The number of the selected row among all rows, such as "12 of 686"; empty without rows.
    @MainActor
    public func place(in state: ListState) -> String {
        isEmpty ? "" : "\(Swift.min(state.selection, count - 1) + 1) of \(total)"
    }
}
