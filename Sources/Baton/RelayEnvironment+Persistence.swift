extension RelayEnvironment {
    /// Where an environment keeps its records beyond the end of the process.
    ///
    /// `SQLitePersistence` of the product `BatonSQLite` is one. An app makes none of its own: what a file must do for
    /// the store is no public contract.
    public protocol Persistence: Sendable {
        /// Returns the file for one environment. Nothing is opened yet.
        func makeFile() -> File
    }

    /// A file for the records of one environment.
    public struct File: Sendable {
        package let disk: any RecordDisk

        /// Takes a file.
        package init(_ disk: any RecordDisk) { self.disk = disk }
    }

    /// Writes what was published into the file of the environment and waits until it is durable.
    ///
    /// When it returns, everything that was published before the call is there after the end of the process, and after
    /// a loss of power. Without a file it returns at once. The file is written on a thread of its own about 100 ms
    /// after each publish, so a program calls this only before it ends, or where it must be sure. A call takes some
    /// milliseconds, nearly all of them the sync of the device; publishes and reads go on meanwhile.
    ///
    /// Optimistic changes are not written.
    ///
    /// - Throws: Why the file was not opened, or could not be written now. What was not written stays in memory, and is
    ///   tried again after the next publish or flush.
    public func flush() async throws(PersistenceError) {
        if let fileFailure { throw fileFailure }
        try await store.flush()
    }

    /// Reads what a query needs from the file, on the file's own thread, so that a handle finds it in memory.
    ///
    /// The data then stays as long as that of a released operation (``StoreOptions/releaseBufferSize``). Nobody is
    /// notified. Without a file it returns at once.
    public func prewarm<Query: GraphQLQuery>(_ query: Query) async {
        guard let disk = store.queue.disk?.disk else { return }
        let retention = retain(query)
        let operation = store.bind(query)
        await withCheckedContinuation { continuation in
            disk.perform {
                _ = self.store.readFromDisk(operation)
                continuation.resume()
            }
        }
        retention.release()
    }
}
