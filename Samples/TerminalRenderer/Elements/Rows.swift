public import Baton

/// The rows of a ``List`` that are made when they are seen, and how many there are in all.
///
///     let films = handle.loadingAhead(data.films.nodes, distance: 10, count: 20)
///     let rows = Rows(films, of: data.films.totalCount) { $0.title }
///     Box("Films", footer: rows.place(in: state)) { List(rows, state) { title, _ in Text(title) } }
///
/// A row is made anew each time it is looked at, and kept nowhere. So the number of rows costs nothing, and those of a
/// `loadingAhead` load the next page when one near the end is seen. With `rest`, the keys to the end of the list load
/// what is missing:
///
///     Rows(films, of: total, rest: { try? await handle.loadAll(upTo: 1000).finished() }) { $0.title }
public struct Rows<Row: Sendable>: RandomAccessCollection, Sendable {
    /// The number of rows so far.
    public let count: Int
    /// The number of all rows, those that are not loaded yet included.
    public let total: Int
    /// Loads the rows that are missing, or as many of them as are sensible at once.
    public let loadRest: (@MainActor @Sendable () async -> Void)?
    private let row: @Sendable (Int) -> Row

    /// Makes rows by a function of their index.
    ///
    /// - Parameters:
    ///   - count: the number of rows so far.
    ///   - total: the number of all rows.
    ///   - rest: loads what is missing when the person goes to the end, and ends early if its task is cancelled.
    ///   - row: makes a row.
    public init(
        count: Int, of total: Int? = nil, rest: (@MainActor @Sendable () async -> Void)? = nil,
        row: @escaping @Sendable (Int) -> Row
    ) {
        (self.count, self.total, self.row) = (count, Swift.max(count, total ?? count), row)
        loadRest = rest
    }

    /// Makes a row of each element of a collection.
    public init<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements, of total: Int? = nil, rest: (@MainActor @Sendable () async -> Void)? = nil,
        row: @escaping @Sendable (Elements.Element) -> Row
    ) {
        self.init(count: elements.count, of: total, rest: rest) {
            row(elements[elements.index(elements.startIndex, offsetBy: $0)])
        }
    }

    /// The index of the first row.
    public var startIndex: Int { 0 }
    /// The index after the last row.
    public var endIndex: Int { count }

    /// The row at an index.
    public subscript(index: Int) -> Row { row(index) }

    /// The number of the selected row among all rows, such as "12 of 686"; empty without rows. On the way to the end it
    /// says how to stay.
    @MainActor
    public func place(in state: ListState) -> String {
        if isEmpty { return "" }
        return "\(state.isGoingToEnd ? "any key stops, " : "")\(state.index(in: count) + 1) of \(total)"
    }
}

extension Rows {
    /// Makes rows of the nodes of a list with pages. The next page is loaded when a row near the end is seen. The keys
    /// to the end load pages of 100 rows one after another, up to a number of rows.
    ///
    ///     Rows(films.nodes, in: handle, of: films.totalCount) { $0.fragments.filmRow_film }
    ///
    /// - Parameters:
    ///   - nodes: the nodes so far.
    ///   - list: the handle of the list.
    ///   - total: the number of all nodes.
    ///   - distance: the number of rows from the end at which the next page is loaded.
    ///   - count: the number of rows of that page.
    ///   - most: the number of rows that one key to the end loads at most.
    ///   - stopped: runs if that was not all.
    ///   - row: makes a row.
    @MainActor
    public init<Nodes: RandomAccessCollection & Sendable>(
        _ nodes: Nodes, in list: FragmentHandle<some PaginationFragment>, of total: Int? = nil, distance: Int = 10,
        count: Int = 30, most: Int = 1000, stopped: @escaping @MainActor @Sendable () -> Void = {},
        row: @escaping @Sendable (Nodes.Element) -> Row
    ) where Nodes.Index: Sendable {
        let rest: @MainActor @Sendable () async -> Void = {
            let load = list.loadAll(upTo: nodes.count + Swift.min(most, .max - nodes.count))
            await withTaskCancellationHandler {
                try? await load.finished()
            } onCancel: {
                load.cancel()
            }
            if list.hasNext, list.fetchError == nil, !Task.isCancelled { stopped() }
        }
        self.init(list.loadingAhead(nodes, distance: distance, count: count), of: total, rest: rest, row: row)
    }
}

/// Rows that may know how to load what is missing.
protocol RowsWithRest {
    var loadRest: (@MainActor @Sendable () async -> Void)? { get }
}

extension Rows: RowsWithRest {}
