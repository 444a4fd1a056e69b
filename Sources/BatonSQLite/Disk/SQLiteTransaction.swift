import Baton

/// A transaction under way. What it changes is gathered for one owner, and each row of that is written once when the
/// next owner comes.
final class SQLiteTransaction: DiskTransaction {
    private struct Row {
        var content = StoredRow()
        var isChanged = false

        mutating func put(_ bytes: [UInt8], at end: ArraySlice<UInt8>) {
            content.put(bytes[...], at: end)
            isChanged = true
        }
    }

    /// The owner whose rows are gathered.
    private struct Owner {
        let id: ArraySlice<UInt8>
        let number: Int64
        /// True as long as the file has no rows of it.
        var isNew: Bool
    }

    /// The number of bytes that are gathered before the rows are written, so that a transaction of any size needs
    /// little memory.
    private static let mostGathered = 16 << 20

    private let writer: SQLiteWriter
    private let stop: SQLiteStop
    private var owner: Owner?
    private var rows: [Int64: Row] = [:]
    private var gathered = 0
    private var next: Int64?
    /// The number of bytes written so far.
    private(set) var written = 0

    var isAfterOthers: Bool { writer.isAfterOthers }

    init(_ writer: SQLiteWriter, _ stop: SQLiteStop) {
        self.writer = writer
        self.stop = stop
    }

    // MARK: - Records

    func read(_ identity: DiskIdentity) throws(PersistenceError) -> [UInt8]? {
        try reporting { () throws(SQLiteError) in
            let place = StoredPlace(identity)
            guard let owner = try owner(place.owner, adding: false) else { return nil }
            return try row(StoredPlace.key(owner.number, place.part), of: owner).content[place.end]
        }
    }

    func update(
        _ identity: DiskIdentity, _ body: (_ old: [UInt8]?) throws(PersistenceError) -> [UInt8]
    ) throws(PersistenceError) {
        if stop.isStopped { throw .suspended }
        let place = StoredPlace(identity)
        let (key, old) = try reporting { () throws(SQLiteError) in
            guard let owner = try owner(place.owner, adding: true) else { throw .misuse("an owner has no number") }
            let key = StoredPlace.key(owner.number, place.part)
            return (key, try row(key, of: owner).content[place.end])
        }
        let bytes = try body(old)
        rows[key, default: Row()].put(bytes, at: place.end)
        gathered += bytes.count
        if gathered > Self.mostGathered { try reporting { () throws(SQLiteError) in try writeRows() } }
    }

    /// Goes to an owner; nil if the file does not have it and it is not added.
    private func owner(_ id: ArraySlice<UInt8>, adding: Bool) throws(SQLiteError) -> Owner? {
        if let owner, owner.id == id { return owner }
        try writeRows()
        owner = nil
        if let known = writer.number(of: id) {
            owner = Owner(id: id, number: known, isNew: false)
        } else if adding, try writer.add(newNumber, of: id) {
            // Nearly every owner that is not known here is new, so nothing is looked up first.
            owner = Owner(id: id, number: try newNumber, isNew: true)
            next = try newNumber + 1
        } else if let found = try writer.tables.number(of: id) {
            writer.note(found, of: id)
            owner = Owner(id: id, number: found, isNew: false)
        }
        return owner
    }

    /// The number of the next new owner.
    private var newNumber: Int64 {
        get throws(SQLiteError) {
            if let next { return next }
            let number = try writer.tables.number(for: "next") ?? 1
            guard number < 1 << 43 else { throw .misuse("the file has no number left") }
            next = number
            return number
        }
    }

    private func row(_ key: Int64, of owner: Owner) throws(SQLiteError) -> Row {
        if let known = rows[key] { return known }
        var row = Row()
        if !owner.isNew, let bytes = try writer.tables.row(key) {
            // A row that is damaged is written anew; what was in it is missing from now on.
            row.content = StoredRow(bytes) ?? StoredRow()
            gathered += bytes.count
            rows[key] = row
        }
        return row
    }

    private func writeRows() throws(SQLiteError) {
        for (key, row) in rows.count > 1 ? rows.sorted(by: { $0.key < $1.key }) : Array(rows) where row.isChanged {
            let bytes = row.content.bytes
            try writer.put(bytes, in: key)
            written += bytes.count
        }
        // A row that was written is read again if it is needed again.
        owner?.isNew = false
        rows.removeAll(keepingCapacity: rows.count < Self.mostKept)
        gathered = 0
    }

    private static let mostKept = 64

    // MARK: - Forms and notes

    func form(_ number: UInt64) throws(PersistenceError) -> [UInt8]? {
        try reporting { () throws(SQLiteError) in try writer.tables.form(number) }
    }

    func put(form: [UInt8], _ number: UInt64) throws(PersistenceError) {
        try reporting { () throws(SQLiteError) in try writer.put(form: form, number) }
        written += form.count
    }

    func note(_ note: DiskNote) throws(PersistenceError) -> [UInt8]? {
        try reporting { () throws(SQLiteError) in try writer.tables.note(note.rawValue) }
    }

    func put(_ bytes: [UInt8], for note: DiskNote) throws(PersistenceError) {
        try reporting { () throws(SQLiteError) in try writer.put(bytes, for: note.rawValue) }
        written += bytes.count
    }

    func removeAll() throws(PersistenceError) {
        try reporting { () throws(SQLiteError) in try writer.removeAll() }
        rows = [:]
        owner = nil
        gathered = 0
    }

    func removeRecords(
        where isRemoved: (_ bytes: [UInt8]) throws(PersistenceError) -> Bool
    ) throws(PersistenceError) {
        let copying = try reporting { () throws(SQLiteError) in
            try writeRows()
            return try writer.beginCopying()
        }
        owner = nil
        var last = Int64.min
        while true {
            if stop.isStopped { throw .suspended }
            let rows = try reporting { () throws(SQLiteError) in try writer.rows(after: last, count: Self.slice) }
            guard let end = rows.last else { break }
            last = end.key
            for (key, bytes, used) in rows {
                var kept = bytes
                // A row that is damaged stays, and whoever reads it reports it.
                if var row = StoredRow(bytes), try row.remove(where: isRemoved) { kept = row.bytes }
                if kept.isEmpty { continue }
                try reporting { () throws(SQLiteError) in try writer.copy(kept, in: key, used, copying) }
                written += kept.count
            }
        }
        try reporting { () throws(SQLiteError) in
            try writer.endCopying()
            var text: [UInt8]? = []
            while let start = text { text = try writer.removeOwners(after: start, count: Self.slice) }
        }
    }

    /// The number of rows that are looked at together.
    private static let slice = 500

    /// Writes what was gathered. Must be the last call.
    func end() throws(SQLiteError) {
        try writeRows()
        if let next { try writer.set("next", next) }
    }
}
