extension RelayEnvironment {
    /// The whole store as data: records, what is known of types, what was invalidated, and when each field and each
    /// operation was fetched.
    ///
    /// The bytes are canonical JSON with a format number; equal stores give equal bytes. A server that renders a page
    /// embeds them in it, and a client that restores them shows the page without a request. Optimistic changes are not
    /// in it, nor are the answers of mutations and of subscription events that nothing links to. Mapped scalars are in
    /// it as the JSON that they were made of. Times are in it as ages in milliseconds, because the clock of another
    /// process begins at another time. Of the fetch keys those are in it that are numbers, texts or Booleans. Takes
    /// time linear in the store, while which nobody waits.
    public func snapshot() -> [UInt8] { store.snapshot(at: now()) }

    /// Puts what a snapshot holds in the place of everything that is in the store.
    ///
    /// It is one publish: handles hear of what is different then, and only of that. Operations count as fetched when
    /// they were, by their names and variables, so
    /// `storeOrNetwork` asks nobody for what the snapshot holds. Whole or not at all: whatever is wrong with the bytes,
    /// the store is as it was. Mapped scalars are converted when they are read. It is refused with
    /// ``SnapshotError/changesInFlight`` while an optimistic change is shown.
    ///
    /// - Parameters:
    ///   - bytes: what ``snapshot()`` gave, here or elsewhere.
    ///   - elapsed: how long ago that was. Everything counts as older by that much: age limits and `maxAge` go on from
    ///     there.
    public func restore(from bytes: [UInt8], elapsed: Duration = .zero) throws(SnapshotError) {
        let start = now()
        try store.restore(bytes, at: start, elapsed: elapsed) { report($0, .restore, since: start) }
    }
}
