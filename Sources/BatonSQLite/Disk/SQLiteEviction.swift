import Baton
import BatonSQLiteLibrary

/// The limits of a file: how large it may be, and how long it keeps what nobody uses.
struct SQLiteLimits: Sendable {
    /// The number of bytes of its pages above which rows are removed.
    var size: Int64?
    /// The seconds after which a row that was not used is removed.
    var age: Int64?

    var isLimited: Bool { size != nil || age != nil }

    /// Rows are removed until the file has this part of its size limit, so that it does not happen at each write.
    private static let part = 0.8

    /// Returns the time up to which rows have to go, given the bytes of the rows by the times of their last use.
    func end(_ bytes: [Int64: Int64], _ size: Int64, at now: Int64) -> Int64 {
        var end = age.map { now - $0 } ?? .min
        guard let limit = self.size, size > limit else { return end }
        var excess = size - Int64(Double(limit) * Self.part)
        for (time, count) in bytes.sorted(by: { $0.key < $1.key }) where excess > 0 {
            excess -= count
            end = max(end, time)
        }
        return end
    }
}

/// Removes what has not been used for the longest time, in slices: others write between them, and readers read.
struct SQLiteEviction {
    private static let slice = 500
    /// What a row costs in its page beside its bytes.
    fileprivate static let costOfRow: Int64 = 16

    let limits: SQLiteLimits
    let now: Int64
    let disk: SQLiteDisk

    /// Removes rows in which none of these records lies. Returns the number of rows, and whether the file is within its
    /// limits.
    func run(keeping identities: [DiskIdentity]) throws(PersistenceError) -> (removed: Int, isEnough: Bool) {
        let latest = now.advanced(by: Int(DiskTables.ahead))
        let (needed, rows, size) = try disk.reading { (tables) throws(SQLiteError) in
            let needed = try keys(of: identities, in: tables)
            return (needed, try Rows(in: tables, without: needed, latest: latest, slice: Self.slice), try tables.size())
        }
        let end = min(limits.end(rows.bytes, size, at: now), now)
        let kept = end.advanced(by: 1)...latest
        for start in stride(from: 0, to: needed.count, by: Self.slice) {
            let part = needed[start..<min(start + Self.slice, needed.count)]
            try disk.transaction { (writer) throws(SQLiteError) in
                // What is needed counts as used later than now, if it would go otherwise.
                try writer.noteUses(part, at: now.advanced(by: 1), unlessIn: kept)
            }
        }
        var (removed, last) = (0, Int64.min)
        for key in rows.ends {
            try disk.transaction { (writer) throws(SQLiteError) in
                removed += try writer.removeRows(after: last, upTo: key, notUsedIn: kept)
            }
            last = key
        }
        var text: [UInt8]? = removed > 0 ? [] : nil
        while let start = text {
            try disk.transaction { (writer) throws(SQLiteError) in
                text = try writer.removeOwners(after: start, count: Self.slice)
            }
        }
        guard let limit = limits.size else { return (removed, true) }
        return (removed, try disk.reading { (tables) throws(SQLiteError) in try tables.size() } <= limit)
    }

    /// The keys of the rows in which records lie, in order.
    private func keys(of identities: [DiskIdentity], in tables: DiskTables) throws(SQLiteError) -> [Int64] {
        var keys: Set<Int64> = []
        for identity in identities {
            let place = StoredPlace(identity)
            if let number = try tables.number(of: place.owner) { keys.insert(StoredPlace.key(number, place.part)) }
        }
        return keys.sorted()
    }

    /// The rows of a file: the bytes of those that may go by the times of their last use, and the key of every so many.
    private struct Rows {
        var bytes: [Int64: Int64] = [:]
        var ends: [Int64] = []

        init(in tables: DiskTables, without needed: [Int64], latest: Int64, slice: Int) throws(SQLiteError) {
            let needed = Set(needed)
            let rows = try tables.connection.prepare("SELECT key, used, length(bytes) FROM rows ORDER BY key")
            (bytes, ends) = try rows.use { run throws(SQLiteError) in
                var (bytes, ends): ([Int64: Int64], [Int64]) = ([:], [])
                var count = 0
                while try run.step() {
                    let (key, time) = (run.integer(0), run.integer(1))
                    count += 1
                    if count % slice == 0 { ends.append(key) }
                    if needed.contains(key) { continue }
                    // A time that is far ahead says nothing, so it counts as long ago.
                    let isAhead = time > latest
                    bytes[isAhead ? .min : time, default: 0] += run.integer(2) + SQLiteEviction.costOfRow
                }
                return (bytes, ends + [.max])
            }
        }
    }
}
