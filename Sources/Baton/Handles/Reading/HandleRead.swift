/// A handle's read with its comparison.
struct HandleRead: Sendable {
    let result: RowResult
    /// True if the data differs from that of the last read.
    let isDifferent: Bool

    /// Reads a place and compares the data with that of the last read.
    ///
    /// No lock may be held, because conversions of the application may run.
    init(at place: borrowing BoundFragment, in store: Store, after last: RowResult?) {
        result = store.read(at: place.record, place.selections, after: last?.dependencies)
        guard let last else {
            isDifferent = true
            return
        }
        isDifferent = !result.isEqual(to: last)
    }
}

extension RowResult {
    /// The content of a reading that shows this.
    var content: Reading.Content { failure.map { .failure($0) } ?? .data(row) }
}
