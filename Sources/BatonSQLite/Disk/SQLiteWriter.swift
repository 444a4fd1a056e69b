import Baton
import BatonSQLiteLibrary

/// The text of an owner, hashed as a whole and not byte by byte.
private struct Owner: Hashable {
    let bytes: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// The connection that writes a file.
final class SQLiteWriter {
    let tables: DiskTables
    /// Numbers of owners that the file has, so that they are not looked up again.
    private var numbers: [Owner: Int64] = [:]
    private var version: Int64
    /// True from the change of another process to the end of the next write.
    private(set) var isAfterOthers = false
    private let add: SQLiteStatement
    private let put: SQLiteStatement
    private let putForm: SQLiteStatement
    private let putNote: SQLiteStatement
    private let set: SQLiteStatement

    private static let mostNumbers = 1 << 16

    /// The bytes of rows that were written since the log was moved into the file.
    private var inLog = 0
    /// True if the file or its log may still have what was removed. The file says so for the next process.
    private(set) var hasRemoved: Bool
    /// The account and the generation of this process; nil until they are known.
    private var owner: (account: String, generation: String)?

    private let longLog: Int
    private let now: @Sendable () -> Int64

    private var connection: SQLiteConnection { tables.connection }

    init(_ tables: DiskTables, longLog: Int, now: @escaping @Sendable () -> Int64) throws(SQLiteError) {
        self.tables = tables
        self.longLog = longLog
        self.now = now
        let connection = tables.connection
        add = try connection.prepare("INSERT OR IGNORE INTO ids(id, number) VALUES(?, ?)")
        put = try connection.prepare("INSERT OR REPLACE INTO rows(key, bytes, used) VALUES(?, ?, ?)")
        putForm = try connection.prepare("INSERT OR REPLACE INTO forms(number, bytes) VALUES(?, ?)")
        putNote = try connection.prepare("INSERT OR REPLACE INTO notes(name, bytes) VALUES(?, ?)")
        set = try connection.prepare("INSERT OR REPLACE INTO settings(name, value) VALUES(?, ?)")
        version = try connection.dataVersion()
        hasRemoved = try tables.number(for: "removed") ?? 0 != 0
    }

    // MARK: - Transactions

    /// Calls `body` in a transaction, which is rolled back if it throws. The caller has the lock of the file.
    func transaction<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
        do throws(SQLiteError) {
            try connection.run("BEGIN IMMEDIATE")
            // Another process may have emptied the file, and the numbers mean nothing any more.
            let current = try connection.dataVersion()
            if current != version {
                numbers = [:]
                isAfterOthers = true
            }
            version = current
        } catch { throw failed(error) }
        let result: Result
        do throws(PersistenceError) {
            if isAfterOthers { try checkOwner() }
            result = try body()
        } catch {
            rollBack()
            throw error
        }
        do throws(SQLiteError) {
            try connection.run("COMMIT")
        } catch { throw failed(error) }
        return result
    }

    /// Sets whose data the file has, in the transaction of an opening.
    func setOwner(account: String, generation: String) throws(SQLiteError) {
        try set("account", text: account)
        try set("generation", text: generation)
        owner = (account, generation)
    }

    /// Throws if another process has given the file to another account or generation. What this one has is not to be
    /// found there.
    private func checkOwner() throws(PersistenceError) {
        guard let owner else { return }
        let (account, generation) = try reporting { () throws(SQLiteError) in
            (try tables.text(for: "account"), try tables.text(for: "generation"))
        }
        if account == owner.account, generation == owner.generation { return }
        throw PersistenceError("another process has given the file another account or generation", .foreign)
    }

    private func failed(_ error: SQLiteError) -> PersistenceError {
        rollBack()
        return PersistenceError(error)
    }

    private func rollBack() {
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        // What the transaction has added is gone.
        numbers = [:]
    }

    // MARK: - The log

    func noteWritten(_ count: Int) {
        inLog += count
        isAfterOthers = false
    }

    /// Moves a long log into the file as far as readers let it. That it fails is no failure of the write before it.
    func moveLogIfLong() {
        guard inLog > longLog else { return }
        inLog = 0
        try? connection.run("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Moves the whole log into the file and cuts it off. Waits for readers.
    func moveLog() throws(SQLiteError) {
        let isBusy = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
        guard !isBusy else {
            throw SQLiteError(Int32(BATON_SQLITE_BUSY), "a reader of the file keeps its log")
        }
        inLog = 0
        if hasRemoved { try set("removed", 0) }
        hasRemoved = false
    }

    /// Makes durable what was committed: a commit that syncs the log syncs all that is in it.
    func sync() throws(PersistenceError) {
        try reporting { () throws(SQLiteError) in try connection.setSynchronous(.full) }
        defer { try? connection.setSynchronous(.normal) }
        try transaction { () throws(PersistenceError) in
            try reporting { () throws(SQLiteError) in
                try set("syncs", (try tables.number(for: "syncs") ?? 0) &+ 1)
            }
        }
        // What was removed has to leave the log too.
        if hasRemoved { try reporting { () throws(SQLiteError) in try moveLog() } }
    }

    // MARK: - Writing

    /// The number of an owner; nil if it is not known, though the file may have it.
    func number(of owner: ArraySlice<UInt8>) -> Int64? { numbers[Owner(bytes: owner)] }

    func note(_ number: Int64, of owner: ArraySlice<UInt8>) {
        if numbers.count >= Self.mostNumbers { numbers = [:] }
        // A copy of its own, because the slice keeps the whole identity.
        numbers[Owner(bytes: ArraySlice(Array(owner)))] = number
    }

    /// Gives an owner a number; returns false if it has one.
    func add(_ number: Int64, of owner: ArraySlice<UInt8>) throws(SQLiteError) -> Bool {
        try owner.withUnsafeBufferPointer { (owner) throws(SQLiteError) in
            try add.use { run throws(SQLiteError) in
                try run.lend(UnsafeRawBufferPointer(owner), at: 1)
                try run.bind(number, at: 2)
                _ = try run.step()
            }
        }
        return connection.changes > 0
    }

    func put(_ bytes: [UInt8], in key: Int64) throws(SQLiteError) { try put(put, key, bytes, now()) }

    func put(form: [UInt8], _ number: UInt64) throws(SQLiteError) {
        try put(putForm, Int64(bitPattern: number), form)
    }

    private func put(
        _ statement: SQLiteStatement, _ key: Int64, _ bytes: [UInt8], _ used: Int64? = nil
    ) throws(SQLiteError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
            try statement.use { run throws(SQLiteError) in
                try run.bind(key, at: 1)
                try run.lend(UnsafeRawBufferPointer(bytes), at: 2)
                if let used { try run.bind(used, at: 3) }
                _ = try run.step()
            }
        }
    }

    func put(_ bytes: [UInt8], for note: String) throws(SQLiteError) {
        try putNote.use { run throws(SQLiteError) in
            try run.bind(note, at: 1)
            try run.bind(bytes, at: 2)
            _ = try run.step()
        }
    }

    func set(_ name: String, _ value: Int64) throws(SQLiteError) {
        try set.use { run throws(SQLiteError) in
            try run.bind(name, at: 1)
            try run.bind(value, at: 2)
            _ = try run.step()
        }
    }

    func set(_ name: String, text: String) throws(SQLiteError) {
        try set.use { run throws(SQLiteError) in
            try run.bind(name, at: 1)
            try run.bind(text, at: 2)
            _ = try run.step()
        }
    }

    // MARK: - Eviction

    /// Notes that rows were used at a time, in seconds since 1970.
    ///
    /// - Parameter interval: Rows that were last used in this time stay as they are.
    func noteUses(
        _ keys: some Collection<Int64>, at time: Int64, unlessIn interval: ClosedRange<Int64>? = nil
    ) throws(SQLiteError) {
        if keys.isEmpty { return }
        let note = try connection.prepare(
            "UPDATE rows SET used = ?1 WHERE key = ?2 AND (?3 IS NULL OR used NOT BETWEEN ?3 AND ?4)")
        for key in keys {
            try note.use { run throws(SQLiteError) in
                try run.bind(time, at: 1)
                try run.bind(key, at: 2)
                if let interval {
                    try run.bind(interval.lowerBound, at: 3)
                    try run.bind(interval.upperBound, at: 4)
                }
                _ = try run.step()
            }
        }
    }

    /// Removes the rows between two keys that were not used in an interval of time. Returns their number.
    func removeRows(
        after key: Int64, upTo last: Int64, notUsedIn time: ClosedRange<Int64>
    ) throws(SQLiteError) -> Int {
        let remove = try connection.prepare(
            "DELETE FROM rows WHERE key > ? AND key <= ? AND used NOT BETWEEN ? AND ?")
        let values = [key, last, time.lowerBound, time.upperBound]
        try remove.use { run throws(SQLiteError) in
            for (place, value) in values.enumerated() { try run.bind(value, at: place + 1) }
            _ = try run.step()
        }
        return connection.changes
    }

    // MARK: - Copying

    // What is deleted from a page may have been moved in it before, and is then left between what stays. So the rows
    // that stay are copied into a new table, and the pages of the old one are overwritten whole.

    /// Returns the statement that `copy` takes.
    func beginCopying() throws(SQLiteError) -> SQLiteStatement {
        try connection.run("CREATE TABLE kept(key INTEGER PRIMARY KEY, bytes BLOB NOT NULL, used INTEGER NOT NULL)")
        return try connection.prepare("INSERT INTO kept(key, bytes, used) VALUES(?, ?, ?)")
    }

    func copy(_ bytes: [UInt8], in key: Int64, _ used: Int64, _ copying: SQLiteStatement) throws(SQLiteError) {
        try put(copying, key, bytes, used)
    }

    func endCopying() throws(SQLiteError) {
        try connection.run("DROP TABLE rows; ALTER TABLE kept RENAME TO rows")
        try noteRemoval()
    }

    /// The next rows in the order of their keys.
    func rows(after key: Int64, count: Int) throws(SQLiteError) -> [(key: Int64, bytes: [UInt8], used: Int64)] {
        let find = try connection.prepare(
            "SELECT key, bytes, used FROM rows WHERE key > ? ORDER BY key LIMIT \(count)")
        return try find.use { run throws(SQLiteError) in
            try run.bind(key, at: 1)
            var rows: [(key: Int64, bytes: [UInt8], used: Int64)] = []
            while try run.step() { rows.append((run.integer(0), try run.copy(1), run.integer(2))) }
            return rows
        }
    }

    /// Removes owners without rows from the next ones in the order of their texts. Returns the last text that was
    /// looked at; nil at the end.
    func removeOwners(after text: [UInt8], count: Int) throws(SQLiteError) -> [UInt8]? {
        let find = try connection.prepare(
            "SELECT max(id) FROM (SELECT id FROM ids WHERE id > ? ORDER BY id LIMIT \(count))")
        let last = try find.use { (run) throws(SQLiteError) -> [UInt8]? in
            try run.bind(text, at: 1)
            return try run.step() && run.type(0) != .null ? run.copy(0) : nil
        }
        guard let last else { return nil }
        let remove = try connection.prepare(
            """
            DELETE FROM ids WHERE id > ? AND id <= ? AND NOT EXISTS \
            (SELECT 1 FROM rows WHERE key >= number << 20 AND key < (number + 1) << 20)
            """)
        try remove.use { run throws(SQLiteError) in
            try run.bind(text, at: 1)
            try run.bind(last, at: 2)
            _ = try run.step()
        }
        numbers = [:]
        return last
    }

    /// Removes everything but the settings: sessions and numbers go on, so that none is given twice.
    func removeAll() throws(SQLiteError) {
        for table in ["ids", "rows", "forms", "notes"] { try connection.run("DELETE FROM \(table)") }
        numbers = [:]
        try noteRemoval()
    }

    /// Notes that old bytes have to go, in the transaction of the removal.
    private func noteRemoval() throws(SQLiteError) {
        hasRemoved = true
        try set("removed", 1)
    }
}
