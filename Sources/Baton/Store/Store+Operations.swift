extension Store {
    /// Keeps what the operation selects; balanced by `release`.
    package func retain(_ operation: BoundOperation) {
        operations.withLock { $0.retain(operation) }
        collector.note(operation.plans.write, at: operation.root)
    }

    /// Takes back one `retain`. After the last, what nothing else needs may be collected at any time.
    package func release(_ operation: BoundOperation) {
        guard operations.withLock({ $0.release(operation) }) else { return }
        if operation.artifact.kind == .query {
            collector.want(.release)
        } else if collector.endedCalls.add(1, ordering: .relaxed).newValue >= Collector.endedCallsLimit {
            // One record each, which can wait until there are some.
            collector.want(.release)
        }
    }

    /// Keeps what an operation selects while the body runs.
    package func retaining<Result>(_ operation: BoundOperation, _ body: () throws -> Result) rethrows -> Result {
        operations.withLock { $0.retain(operation) }
        collector.note(operation.plans.write, at: operation.root)
        defer { _ = operations.withLock { $0.release(operation) } }
        return try body()
    }

    /// How often the operation is retained.
    package func retainCount(of operation: BoundOperation) -> Int {
        operations.withLock { $0.retainCount(operation) }
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
        _ = operations.withLock { operations in
            operations.note(fetch, of: operation, generation: generation ?? version.generation)
            return operations.takeRetired()
        }
    }

    /// When and under which fetch key the operation was last fetched; nil if it never was.
    package func lastFetch(of operation: BoundOperation) -> FetchRecord? {
        operations.withLock { $0.fetch(of: operation) }
    }
}
