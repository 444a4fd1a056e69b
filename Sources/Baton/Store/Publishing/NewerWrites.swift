/// Notes of the fields that mutations, subscriptions and updates wrote while queries were in flight. The response of an
/// older query then leaves these fields as they are.
///
/// Nothing is noted while no query is in flight. A note is dropped when every query in flight began after it. The notes
/// of a record are grouped by the shape in which it was written: writes of the same fields share an entry.
struct NewerWrites {
    fileprivate struct Note {
        var writes: [(shape: Shape, epoch: Epoch)] = []
        /// The version in which the record was deleted; 0 if it was not deleted, or was created again later.
        var deleted: Epoch = 0
        var newest: Epoch = 0
    }

    private var queries = QueriesInFlight()
    private var notes: [RecordID: Note] = [:]
    /// The noted records in the order of their writes, the oldest first.
    private var queue: [(record: RecordID, epoch: Epoch)] = []
    private var queueStart = 0
    /// The version of the newest note.
    private(set) var newest: Epoch = 0
    /// True if a deletion was noted.
    private var hasDeletions = false

    /// True if a query is in flight, so that writes are noted.
    var isNoting: Bool { !queries.isEmpty }
    /// The number of noted records.
    var count: Int { notes.count }
    /// The noted records.
    var records: some Collection<RecordID> { notes.keys }

    // MARK: - Requests

    mutating func begin(_ request: Int, of operation: BoundOperation?, at epoch: Epoch) {
        queries.begin(request, of: operation, at: epoch)
    }

    /// Notes that a response has landed, which makes the responses of older requests of the same operation outdated.
    mutating func responseLanded(_ request: Int) { queries.responseLanded(request) }

    mutating func end(_ request: Int) {
        guard queries.end(request) else { return }
        guard let oldest = queries.oldest else {
            if newest > 0 { self = NewerWrites() }
            return
        }
        while queueStart < queue.count, queue[queueStart].epoch <= oldest {
            let (record, epoch) = queue[queueStart]
            if notes[record]?.newest == epoch { notes[record] = nil }
            queueStart += 1
        }
        if queueStart > queue.count / 2 {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
    }

    // MARK: - Noting

    /// Notes the writes that will land in a version.
    mutating func noteWrites(_ staged: borrowing StagedRecords, at epoch: Epoch, in records: borrowing Records) {
        newest = epoch
        for (position, entry) in staged.entries.enumerated() {
            var note = notes[entry.record] ?? Note()
            if entry.isDeleted {
                note.writes = []
                note.deleted = epoch
                hasDeletions = true
            } else if note.deleted > 0, entry.type == nil, records.base(of: entry.record).state != .existing {
                // An update that began before the deletion of a record does not bring the record back.
                continue
            } else {
                if entry.isReplaced || note.deleted > 0 { note = Note() }
                note.add(staged.shape(position), epoch)
            }
            put(note, entry.record, epoch)
        }
        for record in staged.confirmed {
            var note = notes[record] ?? Note()
            if note.deleted > 0 { note = Note() }
            note.add(records.shape(of: record), epoch)
            put(note, record, epoch)
        }
        if hasDeletions { noteReturns(staged, in: records) }
    }

    /// Notes that a newer write created a deleted record again. Older responses may then write the record's other
    /// fields.
    private mutating func noteReturn(of record: RecordID) {
        if record != .none, notes[record]?.deleted ?? 0 > 0 { notes[record]?.deleted = 0 }
    }

    /// Notes the deleted records that a response links to. Such records are not staged if the response brings only
    /// their known ID.
    private mutating func noteReturns(_ staged: borrowing StagedRecords, in records: borrowing Records) {
        for link in staged.confirmedIDs { noteReturn(of: link.record) }
        for list in staged.confirmedLinks {
            guard case .links(let links)? = records.value(list.key, of: list.record) else { continue }
            for link in links.prefix(list.count) { noteReturn(of: link) }
        }
    }

    private mutating func put(_ note: Note, _ record: RecordID, _ epoch: Epoch) {
        var note = note
        note.newest = epoch
        notes[record] = note
        queue.append((record, epoch))
        // Only the last write of each record counts.
        if queue.count - queueStart > 2 * notes.count + 64 {
            queue = notes.map { ($0.key, $0.value.newest) }.sorted { $0.1 < $1.1 }
            queueStart = 0
        }
    }

    // MARK: - Older responses

    /// Removes the fields from a query's response that were written after its request began. If a newer request of the
    /// same operation has landed, removes all fields.
    ///
    /// Takes time linear in the notes or in the records of the response, whichever are fewer.
    func leaveNewer(
        _ publication: inout Publication, of request: Int, _ records: borrowing Records, _ names: NameTable
    ) {
        guard let began = queries.began(request) else { return }
        if queries.isOvertaken(request) { return publication.leaveOut() }
        guard newest > began else { return }
        let pages = publication.handled.isEmpty ? [] : publication.pages(over: records, names)
        func leave(_ note: Note, _ record: RecordID, _ position: Int) {
            if note.deleted == 0, pages.contains(record) { return }
            note.leaveNewer(&publication, position, than: began, records, names)
        }
        if publication.records.entries.count < notes.count {
            for position in publication.records.entries.indices {
                let record = publication.records.entries[position].record
                if let note = notes[record] { leave(note, record, position) }
            }
        } else {
            for (record, note) in notes {
                if let position = publication.records.position(of: record) { leave(note, record, position) }
            }
        }
        publication.handled.removeAll { call in
            // A page is added to the existing edges; only a whole connection would replace them.
            guard let handle = call.handle, handle.isWholeConnection else { return false }
            // A later part of a page that is already in the connection only adds data to the edges of the page.
            if let parts = call.parts, parts.progress.wasMerged(before: parts.payload) { return false }
            let connection = names.record(parent: call.record, key: handle.storageKey)
            // The handler makes a connection anew of which a collection has taken parts.
            let base = records.base(of: connection)
            if names.connections.hasTornParts({ base.value($0) }, isGone: { records.base(of: $0).state == .unknown }) {
                return false
            }
            return notes[connection]?.isNewer(names.connections.edges, than: began) ?? false
        }
    }
}

extension NewerWrites.Note {
    fileprivate mutating func add(_ shape: Shape, _ epoch: Epoch) {
        if let index = writes.firstIndex(where: { $0.shape === shape }) {
            writes[index].epoch = epoch
        } else {
            writes.append((shape, epoch))
        }
    }

    fileprivate func isNewer(_ key: StorageKeyID, than began: Epoch) -> Bool {
        writes.contains { $0.epoch > began && $0.shape.position(of: key) != nil }
    }

    fileprivate func leaveNewer(
        _ publication: inout Publication, _ position: Int, than began: Epoch, _ records: borrowing Records,
        _ names: NameTable
    ) {
        guard newest > began else { return }
        let entry = publication.records.entries[position]
        let base = records.base(of: entry.record)
        let isOfOtherType = base.state == .existing && entry.type.map { $0 != base.type } ?? false
        if deleted > began || isOfOtherType {
            publication.records.fieldErrors.remove(entry.record)
            // The note of the deletion may have been collected since. Links to the record in the response must read as
            // null.
            let isForgotten = base.state == .unknown
            if isForgotten {
                publication.records.reset(position, isDeleted: true)
            } else {
                publication.records.skip(position)
            }
            publication.leftOut.append(LeftOut(record: entry.record, keys: []))
            return
        }
        // A field that a collection or a restore has removed since is not newer than the response, unless a file has
        // it.
        let isInFile = !records.hasAll(of: entry.record)
        guard base.state == .existing || isInFile else { return }
        let keys = publication.records.shape(position).keys
        let isLeft = keys.map { isNewer($0, than: began) && (isInFile || base.value($0) != nil) }
        let kept = keys.indices.filter { !isLeft[$0] }
        for (key, isLeft) in zip(keys, isLeft) where isLeft {
            _ = publication.records.fieldErrors.set(nil, entry.record, key)
        }
        guard kept.count < keys.count else { return }
        publication.leftOut.append(LeftOut(record: entry.record, keys: zip(keys, isLeft).filter(\.1).map(\.0)))
        let values = publication.records.values(position)
        publication.records.reset(position, type: entry.type, isReplaced: entry.isReplaced)
        publication.records.set(position, kept.map { keys[$0] }, kept.map { values[$0] }, names)
    }
}

extension BoundMarks.Handle {
    /// True if the field was requested without a cursor.
    fileprivate var isWholeConnection: Bool {
        !arguments.contains { ($0.name == "after" || $0.name == "before") && $0.value != .null }
    }
}
