/// The changes that one transaction writes, as the bytes that the file gets.
struct DiskBatch {
    private struct Entry {
        let record: RecordID
        /// The record with a text of its own below which the record lies.
        let owner: RecordID
        let identity: DiskIdentity
        var bytes: [UInt8]
        /// True if the record replaces what the file has.
        var replaces: Bool
        /// True if the record is written only over what the file has of it.
        var isOverOldAlone: Bool
        /// The fields that the file must not have any more.
        var gone: Set<String> = []
    }

    private let disk: StoreDisk
    /// The changes that are gathered in turns, up to `next`.
    private var changes: [RecordID: UnwrittenChanges.Fields] = [:]
    private var next: Dictionary<RecordID, UnwrittenChanges.Fields>.Index
    private var encoder: DiskEncoder
    private var entries: [Entry] = []
    private var places: [RecordID: Int] = [:]
    /// True if the file is emptied first.
    private(set) var isEmptied = false
    /// The types of which the file loses all records first.
    private(set) var clearedTypes: Set<String> = []
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
    var isEmpty: Bool { entries.isEmpty && !isEmptied && notes == nil && clearedTypes.isEmpty }
    /// True if all changes that the batch has taken are among its bytes.
    var isGathered: Bool { next == changes.endIndex }

    // MARK: - Gathering

    /// Drops everything, because the store was emptied.
    mutating func empty() {
        entries = []
        places = [:]
        take([:])
        notes = nil
        isEmptied = true
        // A file that was emptied has no forms.
        encoder = DiskEncoder(disk, DiskForms())
    }

    /// Has the file lose all records of types, and drops those that were gathered or taken.
    mutating func clear(_ types: Set<String>, isCleared: (RecordID) -> Bool) {
        clearedTypes.formUnion(types)
        var left: [RecordID: UnwrittenChanges.Fields] = [:]
        for (record, fields) in changes[next...] where !isCleared(record) { left[record] = fields }
        take(left)
        entries.removeAll { isCleared($0.record) }
        places = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.record, $0) })
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
        var identity: [UInt8] = []
        guard let owner = disk.names.append(identityOf: record, to: &identity) else { return }
        if DiskCalls.isBelow(identity), !disk.calls.isKept(record) { return }
        guard let bytes = encoder.bytes(of: record, fields, of: records, identity) else { return }
        let linkedCalls = encoder.linkedCalls
        let loss = encoder.loss
        let isReplaced = if case .replaced = fields { true } else { loss.replaces }
        let gone = Set(loss.keys.map { disk.names.name(of: $0) })
        if let place = places[record] {
            if isReplaced {
                entries[place].bytes = bytes
                entries[place].replaces = true
                entries[place].isOverOldAlone = loss.isWhole
                entries[place].gone = []
            } else {
                let merged = DiskRecord.merged(bytes, over: entries[place].bytes, &encoder.forms)
                entries[place].bytes = DiskRecord.without(gone, merged, &encoder.forms)
                if !loss.isWhole { entries[place].isOverOldAlone = false }
                if !entries[place].gone.isEmpty {
                    for key in encoder.keys { entries[place].gone.remove(disk.names.name(of: key)) }
                }
                entries[place].gone.formUnion(gone)
            }
        } else {
            places[record] = entries.count
            entries.append(
                Entry(
                    record: record, owner: owner, identity: DiskIdentity(identity), bytes: bytes,
                    replaces: isReplaced || DiskRecord.isDeleted(bytes), isOverOldAlone: loss.isWhole,
                    gone: isReplaced ? [] : gone))
        }
        // What a call brought is written once another record leads to it.
        for target in linkedCalls where disk.calls.keep(target) { add(target, .all, of: records) }
    }

    // MARK: - Writing

    /// The entries in the order in which they are written: by owner, so that each row is made once, and the owners as
    /// they came, which is the order of their rows where they are new.
    private var order: [Int] {
        let keys = entries.enumerated().map { place, entry in
            (key: UInt64(entry.owner.index) << 32 | UInt64(entry.record.index), place: place)
        }
        return keys.sorted { $0.key < $1.key }.map(\.place)
    }

    /// Writes the changes in one transaction.
    func write() throws(PersistenceError) {
        var forms = encoder.forms
        let order = order
        try disk.disk.write { (transaction) throws(PersistenceError) in
            forms = encoder.forms
            if isEmptied { try transaction.removeAll() }
            if !clearedTypes.isEmpty {
                try transaction.removeRecords { (bytes) throws(PersistenceError) in
                    try disk.type(of: bytes, in: transaction, &forms).map { clearedTypes.contains($0) } ?? false
                }
            }
            for place in order {
                let entry = entries[place]
                if entry.isOverOldAlone, try transaction.read(entry.identity) == nil { continue }
                if entry.replaces || isEmptied {
                    try transaction.put(entry.bytes, at: entry.identity)
                } else {
                    try transaction.update(entry.identity) { (old) throws(PersistenceError) in
                        guard let old else { return entry.bytes }
                        return try disk.merged(
                            entry.bytes, over: old, without: entry.gone, in: transaction, &forms)
                    }
                }
            }
            // Another process may have emptied the file, and the forms are gone with the records.
            let brought = transaction.isAfterOthers ? forms.all : forms.new
            for (number, bytes) in brought { try transaction.put(form: bytes, number) }
            if let notes {
                try disk.writeFacts(of: notes, into: transaction)
                try disk.writeInvalidations(of: notes, into: transaction)
            }
            try disk.writeVersion(epoch, into: transaction)
        }
        disk.keep(forms)
    }
}
