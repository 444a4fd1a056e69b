extension RelayEnvironment {
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

    /// Has the file of the environment lose everything that was published before, and nothing of memory.
    ///
    /// From the call on nothing of it is read. It is removed with the next write; after ``flush()`` no byte of it is in
    /// the file, its log or its index. `flush()` throws an error of the kind ``PersistenceError/Kind/busy`` if another
    /// reader keeps the log. What changes in memory later is written, so the file may then have a part of a record.
    /// ``reset(refetching:)`` empties memory too.
    public func clear() { store.clearDisk() }

    /// Has the file of the environment lose the records of an object type that were published before, and nothing of
    /// memory, as the method above does.
    ///
    /// Links to the records stay, with their identities. The next write reads the whole file; readers do not wait. An
    /// abstract type, and a type of which the file has nothing, clears nothing.
    public func clear(type: TypeName) { store.clearDisk(type) }

    /// Closes the file of the environment, before the app is put to sleep.
    ///
    /// When it returns, no lock of the file is held and nothing of it is open; a transaction under way is rolled back
    /// and written later. That takes some milliseconds, and less than 100 unless the device syncs for longer. Until
    /// ``resume()`` no call reaches the file:
    ///
    /// - A handle whose data the file may have is `loading` and counts as fetching, sends no request, and goes on
    ///   afterwards. Under `.networkOnly` and `.networkOrStore`, and for a refetch, the request is sent.
    /// - What is published stays in memory and is written afterwards. ``flush()`` throws an error of the kind
    ///   ``PersistenceError/Kind/suspended``.
    /// - An updater sees what is in memory.
    ///
    /// Any thread may call it. Without a file it does nothing.
    public func suspend() { store.suspend() }

    /// Opens the file again, on the file's own thread, after ``suspend()``. Then what was published is written, and
    /// those who wait for the file read it.
    ///
    /// If the file cannot be opened, those who wait get what memory has, as at a start without a file; the log has the
    /// reason.
    public func resume() { store.resume() }

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
