extension Store {
    /// Keeps what the operation selects; balanced by `release`.
    package func retain(_ operation: BoundOperation) {
        operations.retain(operation)
        inbox.add(operation.plans.write, at: operation.root)
    }

    /// Takes back one `retain`. After the last, what nothing else needs may be collected at any time.
    package func release(_ operation: BoundOperation) {
        guard operations.release(operation) else { return }
        triggers.operationEnded(operation.artifact.kind)
    }

    /// Keeps what an operation selects while the body runs.
    package func retaining<Result>(_ operation: BoundOperation, _ body: () throws -> Result) rethrows -> Result {
        operations.retain(operation)
        inbox.add(operation.plans.write, at: operation.root)
        defer { _ = operations.release(operation) }
        return try body()
    }

    /// How often the operation is retained.
    package func retainCount(of operation: BoundOperation) -> Int {
        operations.retainCount(operation)
    }

    /// Notes that an answer for the operation is in. `began` is the version when the request began, now if it is nil;
    /// the same with the generation of the store.
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

    /// When and under which fetch key the operation was last fetched; nil if it never was.
    package func lastFetch(of operation: BoundOperation) -> FetchRecord? {
        operations.fetch(of: operation)
    }

    // MARK: - Collecting

    /// Begins a collection if none is under way. Gives its number.
    @discardableResult
    package func beginCollection(_ cause: CollectionEvent.Cause) -> UInt32 { collector.begin(cause) }

    /// Does a bounded piece of the collection that is under way, if there is one.
    ///
    /// While it marks, nobody waits; while it sweeps, reads and publishes wait for less than a millisecond.
    package func collectSlice() -> CollectionProgress { collector.collectSlice() }

    /// Runs a collection from its beginning to its end, on the calling thread.
    func collectGarbage(_ cause: CollectionEvent.Cause = .request) -> CollectionEvent? {
        collector.collectGarbage(cause)
    }

    /// Collects everything that nothing keeps: for tests, which collect between other things.
    package func collectAll() { _ = collectGarbage() }

    /// Begins a collection if none is under way, and does a few small pieces of it: for tests.
    package func collectSome(slices: Int, size: Int) {
        let work = Collector.Work(marking: size, looking: size, sweeping: size, freeing: size, vacating: 1)
        collector.begin(.request)
        for _ in 0..<slices {
            guard case .more = collector.collectSlice(work) else { return }
        }
    }
}
