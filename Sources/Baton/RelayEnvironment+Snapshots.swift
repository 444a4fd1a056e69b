extension RelayEnvironment {
    /// Returns the whole store as data: records, type facts, invalidations, and the times when each field and each
    /// operation were fetched.
    ///
    /// The bytes are canonical JSON with a format number; equal stores give equal bytes. A server that renders a page
    /// can embed them, and a client that restores them shows the page without a request.
    ///
    /// Optimistic changes are left out. Responses of mutations and of subscription events are left out unless another
    /// record links to them. Mapped scalars are written as the JSON of the response. Times are written as ages in
    /// milliseconds, because the clocks of two processes begin at different times. Fetch keys are written if they are
    /// numbers, texts or Booleans.
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
        try store.restore(bytes, at: start, elapsed: elapsed) { report($0, .restore, since: start) }
    }
}
