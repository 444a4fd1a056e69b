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
    private static let costOfRow: Int64 = 16

    let limits: SQLiteLimits
    let now: Int64
    let disk: SQLiteDisk

    /// Removes rows in which none of these records lies. Returns the number of rows, and whether the file is within its
    /// limits.
    func run(keeping needed: [DiskIdentity]) throws(PersistenceError) -> (removed: Int, isEnough: Bool) {
        for start in stride(from: 0, to: needed.count, by: Self.slice) {
            try disk.transaction { (writer) throws(SQLiteError) in
                var keys: Set<Int64> = []
                for identity in needed[start..<min(start + Self.slice, needed.count)] {
                    if let key = try writer.key(of: StoredPlace(identity)) { keys.insert(key) }
                }
                // What is needed counts as used later than now.
                try writer.noteUses(keys, at: now.advanced(by: 1))
            }
        }
        let (bytes, ends, size) = try disk.reading { (tables) throws(SQLiteError) in
            let (bytes, ends) = try uses(in: tables)
            return (bytes, ends, try tables.size())
        }
        let end = min(limits.end(bytes, size, at: now), now)
        let kept = end.advanced(by: 1)...now.advanced(by: Int(DiskTables.ahead))
        var (removed, last) = (0, Int64.min)
        for key in ends {
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

    /// The bytes of the rows by the times of their last use, and the key of every so many rows.
    private func uses(in tables: DiskTables) throws(SQLiteError) -> (bytes: [Int64: Int64], ends: [Int64]) {
        let rows = try tables.connection.prepare("SELECT key, used, length(bytes) FROM rows ORDER BY key")
        return try rows.use { run throws(SQLiteError) in
            var (bytes, ends): ([Int64: Int64], [Int64]) = ([:], [])
            var count = 0
            while try run.step() {
                let time = run.integer(1)
                let isAhead = time > now.advanced(by: Int(DiskTables.ahead))
                bytes[isAhead ? .min : time, default: 0] += run.integer(2) + Self.costOfRow
                count += 1
                if count % Self.slice == 0 { ends.append(run.integer(0)) }
            }
            return (bytes, ends + [.max])
        }
    }
}
