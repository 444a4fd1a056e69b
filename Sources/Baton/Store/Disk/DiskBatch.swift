/// The changes that one transaction writes, as the bytes that the file gets.
struct DiskBatch {
    private struct Entry {
        let identity: DiskIdentity
        var bytes: [UInt8]
        /// True if the record replaces what the file has.
        var replaces: Bool
    }

    private let disk: StoreDisk
    /// The changes that are gathered in turns, up to `next`.
    private var changes: [RecordID: UnwrittenChanges.Fields] = [:]
    private var next: Dictionary<RecordID, UnwrittenChanges.Fields>.Index
    private var encoder: DiskEncoder
    private var entries: [RecordID: Entry] = [:]
    /// True if the file is emptied first.
    private(set) var isEmptied = false
    /// The version whose type facts and invalidations are written; nil if they have not changed.
    private var notes: Records?
    /// The version that the batch shows.
    var epoch: Epoch = 0

    init(_ disk: StoreDisk) {
        self.disk = disk
        encoder = DiskEncoder(disk, disk.knownForms)
        next = changes.startIndex
    }

    /// The number of records.
    var count: Int { entries.count }
    var hasNotes: Bool { notes != nil }
    var isEmpty: Bool { entries.isEmpty && !isEmptied && notes == nil }
    /// True if all changes that the batch has taken are among its bytes.
    var isGathered: Bool { next == changes.endIndex }

    // MARK: - Gathering

    /// Drops everything, because the store was emptied.
    mutating func empty() {
        entries = [:]
        take([:])
        notes = nil
        isEmptied = true
        // A file that was emptied has no forms.
        encoder = DiskEncoder(disk, DiskForms())
    }

    mutating func addNotes(of records: Records) {
        // A small version with the tables alone, so that the rows of the store are not held.
        var tables = Records()
        tables.facts = records.facts
        tables.invalidations = records.invalidations
        notes = tables
    }

    /// Takes further changes. Those that it has must be gathered.
    mutating func take(_ changes: [RecordID: UnwrittenChanges.Fields]) {
        self.changes = changes
        next = changes.startIndex
    }

    /// Adds up to `count` of the changes, as the base of a version has them.
    mutating func gather(_ count: Int, of records: borrowing Records) {
        var left = count
        while left > 0, next != changes.endIndex {
            let (record, fields) = changes[next]
            changes.formIndex(after: &next)
            add(record, fields, of: records)
            left -= 1
        }
    }

    private mutating func add(
        _ record: RecordID, _ fields: UnwrittenChanges.Fields, of records: borrowing Records
    ) {
        guard let identity = disk.names.diskIdentity(of: record) else { return }
        if DiskCalls.isBelow(identity.bytes), !disk.calls.isKept(record) { return }
        guard let bytes = encoder.bytes(of: record, fields, of: records, identity.bytes) else { return }
        let linkedCalls = encoder.linkedCalls
        if case .replaced = fields {
            entries[record] = Entry(identity: identity, bytes: bytes, replaces: true)
        } else if let known = entries[record] {
            let merged = DiskRecord.merged(bytes, over: known.bytes, &encoder.forms)
            entries[record]?.bytes = merged
        } else {
            entries[record] = Entry(identity: identity, bytes: bytes, replaces: DiskRecord.isDeleted(bytes))
        }
        // What a call brought is written once another record leads to it.
        for target in linkedCalls where disk.calls.keep(target) { add(target, .all, of: records) }
    }

    // MARK: - Writing

    /// Writes the changes in one transaction.
    func write() throws(PersistenceError) {
        var forms = encoder.forms
        try disk.disk.write { (transaction) throws(PersistenceError) in
            forms = encoder.forms
            if isEmptied { try transaction.removeAll() }
            // In the order in which the records came, which is that of their rows where they are new.
            for (_, entry) in entries.sorted(by: { $0.key.index < $1.key.index }) {
                if entry.replaces || isEmptied {
                    try transaction.put(entry.bytes, at: entry.identity)
                } else {
                    try transaction.update(entry.identity) { (old) throws(PersistenceError) in
                        guard let old else { return entry.bytes }
                        return try disk.merged(entry.bytes, over: old, in: transaction, &forms)
                    }
                }
            }
            for (number, bytes) in forms.new { try transaction.put(form: bytes, number) }
            if let notes {
                try disk.writeFacts(of: notes, into: transaction)
                try disk.writeInvalidations(of: notes, into: transaction)
            }
            try disk.writeVersion(epoch, into: transaction)
        }
        disk.keep(forms)
    }
}
