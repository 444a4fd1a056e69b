extension Store {
    /// Retains the data of an operation; each call must be balanced by `release`.
    package func retain(_ operation: BoundOperation) { operations.retain(operation) }

    /// Undoes one `retain`, without the release buffer. After the last holder, records that nothing else needs may be
    /// collected at any time.
    package func release(_ operation: BoundOperation) { operations.releaseWithoutBuffer(operation) }

    /// Keeps the records that an operation selects while the body reads them.
    package func whileReading<Result>(_ operation: BoundOperation, _ body: () throws -> Result) rethrows -> Result {
        try operations.whileReading(operation, body)
    }

    /// Returns the number of the operation's holders.
    package func retainCount(of operation: BoundOperation) -> Int { operations.holderCount(of: operation) }

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

    // MARK: - Collecting

    /// Begins a collection, unless one runs; returns the number of the running collection.
    @discardableResult
    package func beginCollection(_ cause: LogEvent.Collection.Cause) -> UInt32 { collector.begin(cause) }

    /// Runs a bounded slice of the running collection, if there is one.
    ///
    /// While the slice marks, no thread waits. While it sweeps, reads and publishes wait for less than a millisecond.
    package func collectSlice(_ work: CollectionWork = CollectionWork()) -> CollectionProgress {
        collector.collectSlice(work)
    }

    /// Runs a whole collection on the calling thread.
    @discardableResult
    package func collectGarbage(_ cause: LogEvent.Collection.Cause = .request) -> LogEvent.Collection? {
        collector.collectGarbage(cause)
    }
}
