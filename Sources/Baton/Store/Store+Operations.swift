extension Store {
    /// Keeps what the operation selects; balanced by `release`.
    package func retain(_ operation: BoundOperation) { operations.withLock { $0.retain(operation) } }
    /// Takes back one `retain`.
    package func release(_ operation: BoundOperation) { operations.withLock { $0.release(operation) } }
    /// How often the operation is retained.
    package func retainCount(of operation: BoundOperation) -> Int {
        operations.withLock { $0.retainCount(operation) }
    }

    /// Notes that an answer for the operation is in. `began` is the version when the request began, now if it is nil.
    package func noteFetch(
        of operation: BoundOperation, key: (any Hashable & Sendable)?, at time: Duration, began: Epoch? = nil
    ) {
        let fetch = FetchRecord(key: key, time: time, epoch: began ?? epoch)
        operations.withLock { $0.note(fetch, of: operation) }
    }

    /// When and under which fetch key the operation was last fetched; nil if it never was.
    package func lastFetch(of operation: BoundOperation) -> FetchRecord? {
        operations.withLock { $0.fetch(of: operation) }
    }
}
