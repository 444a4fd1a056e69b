/// The cells of some shelves of a list, which were read one after another.
///
/// Neighbours in a list often show rows of the same blocks. If each shelf held the blocks of its own rows, the holding
/// would take half the time of a read of many linked records (benchmark `read.vs-foundation`).
///
/// Sendable because the cells never change.
final class SharedCells: @unchecked Sendable {
    let cells: UnsafeMutablePointer<Shelf.Cell>
    private let count: Int

    /// The greatest number of shelves that share their cells.
    static let shelves = 64

    /// Makes `count` cells, which `fill` initializes.
    init(count: Int, _ fill: (UnsafeMutablePointer<Shelf.Cell>) -> Void) {
        self.count = count
        cells = .allocate(capacity: max(count, 1))
        fill(cells)
    }

    deinit {
        #if BATON_TSAN
            VersionMark.readerIsDone()
        #endif
        for index in 0..<count { cells[index].release() }
        cells.deallocate()
    }
}
