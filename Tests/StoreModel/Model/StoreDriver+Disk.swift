import Baton
import RandomCases

/// Steps over a file: what was written survives a restart, and what leaves the memory is read again.
extension StoreDriver {
    /// The steps that a store over a file is compared in. Snapshots and the memory of a collection are about stores
    /// whose records are all in memory.
    static func isOfDisk(_ kind: Step.Kind) -> Bool {
        switch kind {
        case .keep, .restore, .fetched: false
        default: true
        }
    }

    /// True for the identities that steps may name. What a call brought is in the file only if another record leads
    /// there.
    func isNamed(_ id: String) -> Bool { disk == nil || !ModelState.isBelowCall(id) }

    /// Writes what was published, or fails to.
    func write() throws {
        guard let disk else { return }
        if generator.chance(15) {
            disk.setWriteFailure(PersistenceError("full"))
            defer { disk.setWriteFailure(nil) }
            let hadUnwritten = store.hasUnwritten
            let hasWritten = (try? store.writeToDisk()) != nil
            try expect(hasWritten || hadUnwritten, "nothing could not be written")
            // What a call has brought is not written if nothing leads there.
            try expect(!hasWritten || !store.hasUnwritten, "a write into a full file ended, and has left something")
            return
        }
        if generator.chance(15) { return try sleep() }
        try writeAll()
    }

    /// Suspends the file for a moment. What was published is written when it is open again.
    private func sleep() throws {
        guard let disk else { return }
        store.suspend()
        var failure: PersistenceError?
        do throws(PersistenceError) { try store.writeToDisk() } catch { failure = error }
        // What a call has brought is not written if nothing leads there.
        try expect(failure?.kind == .suspended || !store.hasUnwritten, "a file that is suspended was written")
        store.resume()
        disk.finishWork()
        try writeAll()
    }

    /// Writes what was published.
    func writeAll() throws {
        try store.writeToDisk()
        try expect(!store.hasUnwritten, "something is left to be written")
        written = model
        observe?(.written)
    }

    /// Begins a new store over the same file, with or without writing before. Layers and readers end with the old one.
    func restart() throws {
        if generator.chance(60) { try write() }
        try reopen()
    }

    func reopen() throws {
        guard let disk else { return }
        let before = top
        // The old store ends before the new one begins.
        store = Store()
        let next = try disk.restarted()
        self.disk = next
        store = try Store(disk: next)
        store.acceptValuesOfAnyType(leavingUnknown: leavesUnknown)
        let clock = model.clock + 1
        model = written
        model.clock = clock
        restartedAt = clock
        model.invalidatedOperations = [:]
        model.invalidatedQueries = [:]
        layers = []
        top = model
        for id in top.differences(from: before).records { changedAt[id] = clock }
        factsChangedAt = clock
        (bound, live, held, read, fetched, retained) = ([:], [], [], [], [:], [:])
        notes = ModelNotes()
        generation = 0
        kept = nil
        resetComparison()
        observe?(.written)
    }

    /// Has everything that the model knows read into memory, and compares all records.
    func compareWithDisk() throws {
        let ids = Set(top.records.keys).union(top.deleted).union(model.records.keys).union(model.deleted)
        store.readFromDisk(ids.map { DataID($0) })
        try compareContents { !ModelState.isBelowCall($0) }
    }
}
