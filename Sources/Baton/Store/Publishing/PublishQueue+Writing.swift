import Synchronization

// The file is written behind the publishes: what changed is gathered in short turns and written while no lock is held.

extension PublishQueue {
    /// The number of records that the first turn of a batch gathers. Publishes wait meanwhile, so each turn is short;
    /// later turns gather more, so that the batch comes to its end while others publish.
    private static let firstSlice = 64
    private static let largestSlice = 8192

    /// Has the file written soon after something was published.
    func beginWriting() {
        writing.set(
            Hook { [weak self] in
                guard let self, let disk else { return }
                disk.disk.schedule { [weak self] in self?.writeSoon() }
            })
    }

    private func writeSoon() {
        do throws(PersistenceError) {
            try writeToDisk()
        } catch {
            // The end of a suspension begins anew.
            if error.kind == .suspended { return }
            disk?.reports.note(error)
            // The changes count as unwritten, and are tried again.
            writing.tell()
        }
    }

    // MARK: - Clearing

    /// Has the file lose everything that was published so far. What is in memory stays there.
    func clearDisk() {
        guard let disk else { return }
        inTurn { turn in
            turn.emptyUnwritten()
            turn.unwritten?.clear()
            // What is known of types and what is stale are no data, and are written anew.
            turn.unwritten?.hasNewFacts = true
            disk.clearing.begin()
        }
    }

    /// Has the file lose all records of a type that were published so far. What is in memory stays there.
    func clearDisk(_ type: TypeName) {
        guard let disk else { return }
        inTurn { turn in
            let records = turn.records
            let id = names.type(type.rawValue)
            let wasEmpty = turn.unwritten?.isEmpty ?? false
            turn.unwritten?.clear(type.rawValue) { records.base(of: $0).type == id }
            disk.clearing.begin(type.rawValue)
            if wasEmpty { turn.writing.tell() }
        }
    }

    // MARK: - Suspension

    /// Has nothing of the file open. What is published waits in memory.
    func suspendWriting() {
        guard let disk else { return }
        disk.suspension.begin()
        disk.disk.suspend()
    }

    /// Opens the file again on its own thread, and then calls those who wait for it.
    func resumeWriting() {
        guard let disk, let number = disk.suspension.current else { return }
        disk.disk.resume()
        disk.disk.perform { [weak self] in self?.reopen(number) }
    }

    private func reopen(_ number: Int) {
        guard let disk, disk.suspension.current == number else { return }
        disk.isWaiting.store(true, ordering: .releasing)
        // Another process may have emptied the file or put it aside.
        disk.forgetForms()
        var failure: PersistenceError?
        do throws(PersistenceError) { try writeToDisk(isReopening: true) } catch { failure = error }
        if failure?.kind == .suspended { return }
        if let failure { disk.reports.note(failure) }
        disk.suspension.end(number)
        if failure != nil { writing.tell() }
    }

    // MARK: - Writing

    /// Writes what is not in the file yet. A file that could not be opened is opened first. One that is suspended is
    /// written by none but those who open it again.
    func writeToDisk(isReopening: Bool = false) throws(PersistenceError) {
        guard let disk else { return }
        if !isReopening, disk.suspension.isSuspended { throw .suspended }
        var count = 0
        var opening: DiskOpening?
        let result = whileWriting {
            do throws(PersistenceError) {
                opening = try openIfWaiting(disk)
                count = try write(disk)
                return .success(())
            } catch { return .failure(error) }
        }
        if let opening { disk.reports.report(.opened(replaced: opening.replaced)) }
        try result.get()
        if count > 0 { disk.reports.report(.written(records: count)) }
        if disk.disk.isOverLimits { evict(disk) }
    }

    /// Removes from the file what has not been used for long and is not in memory.
    private func evict(_ disk: StoreDisk) {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let needed = records.known.compactMap { names.diskIdentity(of: $0) }
        var count = 0
        let result = whileWriting {
            do throws(PersistenceError) {
                count = try disk.disk.evict(keeping: needed)
                return .success(())
            } catch { return .failure(error) }
        }
        if case .failure(let error) = result, error.kind != .suspended { disk.reports.note(error) }
        if count > 0 { disk.reports.report(.evicted(parts: count)) }
    }

    /// Opens a file that could not be opened before, so that it is read from now on. Returns nil if it was open.
    private func openIfWaiting(_ disk: StoreDisk) throws(PersistenceError) -> DiskOpening? {
        guard disk.isWaiting.load(ordering: .acquiring) else { return nil }
        let opening = try disk.disk.open()
        inTurn { turn in
            // A store that was emptied meanwhile knows nothing that the file knew.
            if !disk.isVoid.load(ordering: .acquiring) { turn.newest.add(opening, turn.names) }
        }
        disk.isWaiting.store(false, ordering: .releasing)
        return opening
    }

    /// Returns the number of records that were written.
    private func write(_ disk: StoreDisk) throws(PersistenceError) -> Int {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var batch = DiskBatch(disk)
        var size = Self.firstSlice
        while !inTurn({ $0.gather(&batch, size) }) { size = min(size * 2, Self.largestSlice) }
        guard !batch.isEmpty else { return 0 }
        do throws(PersistenceError) {
            try batch.write()
        } catch {
            inTurn { $0.endBatch(batch, isWritten: false) }
            throw error
        }
        inTurn { $0.endBatch(batch, isWritten: true) }
        return batch.count
    }
}

extension PublishTurn {
    /// Adds up to `count` changed records to a batch. Returns true if it now has everything that was published, so that
    /// it shows the store after one publish.
    mutating func gather(_ batch: inout DiskBatch, _ count: Int) -> Bool {
        guard unwritten != nil else { return true }
        if unwritten?.isEmptied == true {
            // What was gathered is gone.
            unwritten?.endBatch(isWritten: true)
            batch.empty()
            unwritten?.isEmptied = false
        }
        // The version is released before the turn ends, so no publish has to copy what it changes.
        let records = newest.records
        if let types = unwritten?.takeClearedTypes(), !types.isEmpty {
            batch.clear(types) { record in types.contains(names.name(of: records.base(of: record).type)) }
        }
        if batch.isGathered, let taken = unwritten?.take() { batch.take(taken) }
        batch.gather(count, of: records)
        if unwritten?.hasNewFacts == true || unwritten?.hasNewInvalidations == true {
            batch.addNotes(of: records)
            unwritten?.hasNewFacts = false
            unwritten?.hasNewInvalidations = false
        }
        batch.epoch = records.epoch
        return batch.isGathered && unwritten?.isEmpty ?? true
    }

    mutating func endBatch(_ batch: borrowing DiskBatch, isWritten: Bool) {
        unwritten?.endBatch(isWritten: isWritten)
        guard !isWritten else {
            // A type may have been cleared again meanwhile.
            disk?.clearing.end(batch.clearedTypes.subtracting(unwritten?.clearedTypes ?? []))
            // The store may have been emptied again while the batch was written.
            if batch.isEmptied, unwritten?.isEmptied == false { disk?.isVoid.store(false, ordering: .releasing) }
            return
        }
        if batch.isEmptied { unwritten?.isEmptied = true }
        unwritten?.putBack(clearedTypes: batch.clearedTypes)
        if batch.hasNotes {
            unwritten?.hasNewFacts = true
            unwritten?.hasNewInvalidations = true
        }
    }
}
