/// The data of a handle, from the current one on, until the handle is deinitialized.
///
/// States without data are left out: loading, failures, and successes whose data is nil. They are in `results`, which
/// also says how a slow reader skips states.
public struct QueryData<Data: Sendable & Equatable>: AsyncSequence, Sendable {
    let results: QueryResults<Data>

    /// Makes an iterator that begins with the current data. Each iterator waits by itself.
    public func makeAsyncIterator() -> Iterator { Iterator(results: results.makeAsyncIterator()) }

    /// An iterator that waits for the next data.
    public struct Iterator: AsyncIteratorProtocol {
        var results: QueryResults<Data>.Iterator
        private var last: Data?

        init(results: QueryResults<Data>.Iterator) { self.results = results }

        /// Returns the newest data once it differs from the last one. Returns nil if the handle was deinitialized or
        /// the task was cancelled.
        public mutating func next() async -> Data? {
            while let result = await results.next() {
                guard let data = result.data, data != last else { continue }
                last = data
                return data
            }
            return nil
        }
    }
}
