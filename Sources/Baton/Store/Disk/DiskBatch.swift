/// The changes that one transaction writes.
struct DiskBatch {
    private struct Entry {
        let identity: DiskIdentity
        var record: DiskRecord
        /// True if the record replaces what the file has.
        var replaces: Bool
    }

    private let disk: StoreDisk
    private var entries: [RecordID: Entry] = [:]
    /// True if the file is emptied first.
    private(set) var isEmptied = false
    /// The version whose type facts and invalidations are written; nil if they have not changed.
    private var notes: Records?
    /// The version that the batch shows.
    var epoch: Epoch = 0

    init(_ disk: StoreDisk) { self.disk = disk }

    /// The number of records.
    var count: Int { entries.count }
    var hasNotes: Bool { notes != nil }
    var isEmpty: Bool { entries.isEmpty && !isEmptied && notes == nil }

    /// Drops everything, because the store was emptied.
    mutating func empty() {
        entries = [:]
        notes = nil
        isEmptied = true
    }

    mutating func addNotes(of records: Records) {
        // A small version with the tables alone, so that the rows of the store are not held.
        var tables = Records()
        tables.facts = records.facts
        tables.invalidations = records.invalidations
        notes = tables
    }

    /// Adds fields of a record as the base of a version has them.
    mutating func add(_ record: RecordID, _ fields: UnwrittenChanges.Fields, of records: borrowing Records) {
        guard let identity = disk.names.diskIdentity(of: record) else { return }
        if DiskCalls.isBelow(identity), !disk.calls.isKept(record) { return }
        var targets: [RecordID] = []
        guard let stored = disk.record(record, fields, of: records, identity.bytes, linkedCalls: &targets) else {
            return
        }
        if case .replaced = fields {
            entries[record] = Entry(identity: identity, record: stored, replaces: true)
        } else if var known = entries[record] {
            known.record = known.record.merged(with: stored)
            entries[record] = known
        } else {
            entries[record] = Entry(identity: identity, record: stored, replaces: stored.type == nil)
        }
        // What a call brought is written once another record leads to it.
        for target in targets where disk.calls.keep(target) { add(target, .all, of: records) }
    }

    /// Writes the changes in one transaction.
    func write() throws(PersistenceError) {
        try disk.withForms { (forms) throws(PersistenceError) in
            var result = forms
            try disk.disk.write { (transaction) throws(PersistenceError) in
                result = forms
                // A file that was emptied has no forms.
                if isEmptied {
                    try transaction.removeAll()
                    result = DiskForms()
                }
                for entry in entries.values {
                    try disk.write(
                        entry.record, replaces: entry.replaces || isEmptied, at: entry.identity, into: transaction,
                        &result)
                }
                for (number, bytes) in result.new { try transaction.put(form: bytes, number) }
                if let notes {
                    try disk.writeFacts(of: notes, into: transaction)
                    try disk.writeInvalidations(of: notes, into: transaction)
                }
                try disk.writeVersion(epoch, into: transaction)
            }
            forms = result
        }
    }
}

/// The records below the roots of mutations and events that the file has, because other records lead to them.
final class DiskCalls: Sendable {
    private let kept = Guarded<Set<RecordID>>([])
    private static let prefixes = [OperationKind.mutation, .subscription].map {
        Array("\(DataID.root.rawValue):\($0.rawValue):".utf8)
    }

    /// Returns true for the root of a mutation or an event, and for what lies below one.
    static func isBelow(_ identity: DiskIdentity) -> Bool {
        prefixes.contains { prefix in
            identity.bytes.starts(with: prefix) && identity.bytes.dropFirst(prefix.count).first?.isDigit == true
        }
    }

    func isKept(_ record: RecordID) -> Bool { kept.withLock { $0.contains(record) } }

    /// Returns true if the record was not kept before.
    func keep(_ record: RecordID) -> Bool { kept.withLock { $0.insert(record).inserted } }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
