extension Store {
    /// Notes that a response for the operation has arrived. `began` is the version at the beginning of the request, and
    /// `generation` the store's generation at that time; nil means the current ones.
    package func noteFetch(
        of operation: BoundOperation, key: (any Hashable & Sendable)?, at time: Duration, began: Epoch? = nil,
        generation: Int? = nil, request: Int = 0, isIncomplete: Bool = false
    ) {
        let version = version
        var fetch = FetchRecord(key: key, time: time, epoch: began ?? version.epoch)
        fetch.request = request
        fetch.isIncomplete = isIncomplete
        operations.noteFetch(fetch, of: operation, generation: generation ?? version.generation)
    }

    /// Returns the last fetch of the operation; nil if it was never fetched.
    package func lastFetch(of operation: BoundOperation) -> FetchRecord? {
        operations.fetch(of: operation)
    }
}
