extension RelayEnvironment {
    /// Removes every record that nothing keeps, and returns their number.
    ///
    /// <doc:KeepingData> explains what keeps data. Collections also start by themselves and then run in small slices. A
    /// collection by this method runs on the calling thread until its end; other threads may read and publish between
    /// its slices. Released operations in the release buffer stay, unless their time is over or the memory budget is
    /// exceeded. While a ``CollectionHold`` exists the method does nothing, and a collection runs after the hold is
    /// released. An environment over an ``EnvironmentBase`` collects nothing.
    @discardableResult
    public func collectGarbage() -> Int {
        operations.releaseExpired()
        return collection.collectNow()
    }

    /// Delays collections until the returned object is released or deinitialized.
    ///
    /// A running collection is given up and run again later. Holds may overlap.
    public func holdCollection() -> CollectionHold { CollectionHold(collection) }

    /// An estimate of the memory of the records with their texts, lists and indexes, in bytes. It is computed from a
    /// few records of each kind.
    ///
    /// The values of mapped scalars and the data of handles are not included. Takes time linear in the number of
    /// records divided by about a hundred.
    public var memoryUse: Int { store.queue.memoryUse }

    /// Returns the whole store as data: records, type facts, invalidations, and the times when each field and each
    /// operation were fetched.
    ///
    /// The bytes are canonical JSON with a format number; equal stores give equal bytes. A server that renders a page
    /// can embed them, and a client that restores them shows the page without a request.
    ///
    /// Optimistic changes are left out. Responses of mutations and of subscription events are left out unless another
    /// record links to them. Mapped scalars are written as the JSON of the response. Times are written as ages in
    /// milliseconds, because the clocks of two processes begin at different times. Fetch keys are written if they are
    /// an `Int`, a text or a Boolean, at most 16 for each operation.
    ///
    /// The call takes time linear in the store and blocks no other thread.
    public func snapshot() -> [UInt8] { store.snapshot(at: now()) }

    /// Replaces the content of the store by a snapshot.
    ///
    /// The restore is one publish: handles are notified only if their fields differ. Operations, by their names and
    /// variables, count as fetched at their old times, so `storeOrNetwork` sends no request for data of the snapshot.
    /// Mapped scalars are converted when they are read first.
    ///
    /// If the restore throws, the store stays as it was. It throws ``SnapshotError/changesInFlight`` while an
    /// optimistic change is shown.
    ///
    /// - Parameters:
    ///   - bytes: The result of ``snapshot()``, of this or another process.
    ///   - elapsed: The time since the snapshot was taken. All data counts as older by that time, for age limits and
    ///     `maxAge`.
    public func restore(from bytes: [UInt8], elapsed: Duration = .zero) throws(SnapshotError) {
        let start = now()
        try store.restore(bytes, at: start, elapsed: elapsed, report: report(of: .restore, since: start))
    }

    /// Every record of the current version, optimistic changes included; for tests, bug reports and tools.
    public var records: StoreRecords { store.inspection }
}
