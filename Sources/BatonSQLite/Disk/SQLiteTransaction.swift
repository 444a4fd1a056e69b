import Baton

/// A transaction under way. What it changes is gathered by row, and each row is written once, at the end.
final class SQLiteTransaction: DiskTransaction {
    private struct Row {
        var content = StoredRow()
        var isChanged = false

        mutating func put(_ bytes: [UInt8], at end: ArraySlice<UInt8>) {
            content.put(bytes, at: end)
            isChanged = true
        }
    }

    /// The number of bytes that are gathered before the rows are written, so that a transaction of any size needs
    /// little memory.
    private static let mostGathered = 16 << 20

    private let writer: SQLiteWriter
    private var rows: [Int64: Row] = [:]
    private var gathered = 0
    /// Owners with this number and greater ones have no rows in the file.
    private var firstNew = Int64.max
    private var next: Int64?
    /// The number of bytes written so far.
    private(set) var written = 0

    init(_ writer: SQLiteWriter) { self.writer = writer }

    // MARK: - Records

    func read(_ identity: DiskIdentity) throws(PersistenceError) -> [UInt8]? {
        try reporting { () throws(SQLiteError) in
            let place = StoredPlace(identity)
            guard let number = try number(of: place.owner) else { return nil }
            return try row(StoredPlace.key(number, place.part), of: number).content[place.end]
        }
    }

    func update(
        _ identity: DiskIdentity, _ body: (_ old: [UInt8]?) throws(PersistenceError) -> [UInt8]
    ) throws(PersistenceError) {
        let place = StoredPlace(identity)
        let (key, old) = try reporting { () throws(SQLiteError) in
            let number = try addedNumber(of: place.owner)
            let key = StoredPlace.key(number, place.part)
            return (key, try row(key, of: number).content[place.end])
        }
        let bytes = try body(old)
        rows[key, default: Row()].put(bytes, at: place.end)
        gathered += bytes.count
        if gathered > Self.mostGathered { try reporting { () throws(SQLiteError) in try writeRows() } }
    }

    private func row(_ key: Int64, of number: Int64) throws(SQLiteError) -> Row {
        if let known = rows[key] { return known }
        if number >= firstNew { return Row() }
        var row = Row()
        if let bytes = try writer.tables.row(key) {
            // A row that is damaged is written anew; what was in it is missing from now on.
            row.content = StoredRow(bytes) ?? StoredRow()
            gathered += bytes.count
            rows[key] = row
        }
        return row
    }

    private func number(of owner: ArraySlice<UInt8>) throws(SQLiteError) -> Int64? {
        if let known = writer.number(of: owner) { return known }
        guard let number = try writer.tables.number(of: owner) else { return nil }
        writer.note(number, of: owner)
        return number
    }

    /// Returns the number of an owner, which gets one if it has none.
    private func addedNumber(of owner: ArraySlice<UInt8>) throws(SQLiteError) -> Int64 {
        if let known = writer.number(of: owner) { return known }
        let new = if let next { next } else { try writer.tables.number(for: "next") ?? 1 }
        guard new < 1 << 43 else { throw .misuse("the file has no number left") }
        // Nearly every owner that is not known here is new, so nothing is looked up first.
        if try writer.add(new, of: owner) {
            next = new + 1
            firstNew = min(firstNew, new)
            return new
        }
        next = new
        guard let number = try writer.tables.number(of: owner) else { throw .misuse("an owner has no number") }
        writer.note(number, of: owner)
        return number
    }

    private func writeRows() throws(SQLiteError) {
        for (key, row) in rows.sorted(by: { $0.key < $1.key }) where row.isChanged {
            let bytes = row.content.bytes
            try writer.put(bytes, in: key)
            written += bytes.count
        }
        // A row that was written is read again if it is needed again.
        firstNew = .max
        rows = [:]
        gathered = 0
    }

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
        firstNew = .max
        gathered = 0
    }

    /// Writes what was gathered. Must be the last call.
    func end() throws(SQLiteError) {
        try writeRows()
        if let next { try writer.set("next", next) }
    }
}
