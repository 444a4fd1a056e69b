import Baton

extension Store {
    /// Notes a fetch of an operation whose request began at a version; nil means the newest one.
    package func noteFetch(
        of operation: BoundOperation, key: (any Hashable & Sendable)?, at time: Duration, began: Epoch? = nil
    ) {
        let version = version
        operations.noteFetch(
            FetchRecord(key: key, time: time, epoch: began ?? version.epoch), of: operation,
            generation: version.generation)
    }
}
