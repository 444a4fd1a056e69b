import Synchronization

// What comes from the file is laid under what was published. It tells nobody: those who asked for it read again.

extension PublishQueue {
    /// The greatest number of walks for one read. Each goes one level deeper, and no plan is as deep as that.
    private static let mostWalks = 4096

    /// Reads from the file what a plan lacks below a root. Returns false if nothing was read.
    ///
    /// Must be called while no lock is held.
    func readFromDisk(_ plan: BoundPlan, at root: RecordID, _ missing: [MissingFieldHandler] = []) -> Bool {
        guard let disk else { return false }
        // The walk may give numbers to records that handlers name.
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var hasRead = false
        for _ in 0..<Self.mostWalks {
            let lacking = LackingRecords.find(in: records, plan, at: root, missing, of: disk)
            guard !lacking.isEmpty, readFromDisk(lacking, disk) != nil else { break }
            hasRead = true
        }
        return hasRead
    }

    /// Reads records from the file and lays them under the newest version. Returns nil if the file cannot be read, or
    /// if no record has an identity.
    @discardableResult
    func readFromDisk(_ wanted: [RecordID], _ disk: StoreDisk) -> [UnderlaidRecord]? {
        guard disk.isReadable else { return nil }
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = records
        do throws(PersistenceError) {
            let found = try disk.read(wanted, of: records, at: now())
            if found.isEmpty { return nil }
            lay(found, generation: records.generation)
            return found
        } catch {
            // The file may be open again by now.
            if error.kind == .suspended { return disk.isReadable ? readFromDisk(wanted, disk) : nil }
            disk.reports.note(error)
            return nil
        }
    }

    /// True if the file is suspended, and may have something that a plan lacks below a root.
    func needsSuspendedFile(_ plan: BoundPlan, at root: RecordID) -> Bool {
        guard let disk, disk.suspension.isSuspended else { return false }
        return !LackingRecords.find(in: records, plan, at: root).isEmpty
    }

    // MARK: - Pages of connections

    /// Reads what the merge of pages will look at, and keeps it in memory until `unpin`. The merge is made during the
    /// turn, in which nothing is read from the file.
    func pinPages(of calls: [HandledCall]) -> [RecordID] {
        guard let disk else { return [] }
        var pinned: Set<RecordID> = []
        for _ in 0..<Self.mostWalks {
            let before = records
            let needed = calls.filter(\.isPage).flatMap { recordsOfPage($0, in: before) }
            let new = needed.filter { !pinned.contains($0) }
            inTurn { turn in for record in new { turn.pins[record, default: 0] += 1 } }
            pinned.formUnion(new)
            let records = records
            let types = names.fieldTypes
            let lacking = needed.filter { !records.isResident($0, knowing: types) }
            guard !lacking.isEmpty, readFromDisk(lacking, disk) != nil else { break }
        }
        return Array(pinned)
    }

    func unpin(_ pinned: [RecordID]) {
        inTurn { turn in
            for record in pinned {
                let count = turn.pins[record] ?? 0
                turn.pins[record] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// The record that has a connection, the connection, and the records that it links to.
    private func recordsOfPage(_ call: HandledCall, in records: Records) -> [RecordID] {
        var found = [call.record]
        guard let handle = call.handle,
            case .link(let connection)? = records.valueOfBase(handle.storageKey, of: call.record)
        else { return found }
        found.append(connection)
        for key in [names.connections.edges, names.connections.pageInfo] {
            records.valueOfBase(key, of: connection)?.forEachLink { found.append($0) }
        }
        return Array(Set(found))
    }

    private func lay(_ items: [UnderlaidRecord], generation: Int) {
        var publication = Publication(source: .file, generation: generation)
        publication.records.underlaid = items
        // The result is released while no lock is held.
        guard case .published(let effect) = land(publication, .none, by: .other) else { return }
        journal.notePublish(by: .file, at: effect.epoch, effect.changes)
    }
}
