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
    /// True if a part of the log may still have what was removed.
    private var hasRemoved = false

    private let longLog: Int

    private var connection: SQLiteConnection { tables.connection }

    init(_ tables: DiskTables, longLog: Int) throws(SQLiteError) {
        self.tables = tables
        self.longLog = longLog
        let connection = tables.connection
        add = try connection.prepare("INSERT OR IGNORE INTO ids(id, number) VALUES(?, ?)")
        put = try connection.prepare("INSERT OR REPLACE INTO rows(key, bytes) VALUES(?, ?)")
        putForm = try connection.prepare("INSERT OR REPLACE INTO forms(number, bytes) VALUES(?, ?)")
        putNote = try connection.prepare("INSERT OR REPLACE INTO notes(name, bytes) VALUES(?, ?)")
        set = try connection.prepare("INSERT OR REPLACE INTO settings(name, value) VALUES(?, ?)")
        version = try connection.dataVersion()
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

    func put(_ bytes: [UInt8], in key: Int64) throws(SQLiteError) { try put(put, key, bytes) }

    func put(form: [UInt8], _ number: UInt64) throws(SQLiteError) {
        try put(putForm, Int64(bitPattern: number), form)
    }

    private func put(_ statement: SQLiteStatement, _ key: Int64, _ bytes: [UInt8]) throws(SQLiteError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
            try statement.use { run throws(SQLiteError) in
                try run.bind(key, at: 1)
                try run.lend(UnsafeRawBufferPointer(bytes), at: 2)
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

    /// Removes everything but the settings: sessions and numbers go on, so that none is given twice.
    func removeAll() throws(SQLiteError) {
        for table in ["ids", "rows", "forms", "notes"] { try connection.run("DELETE FROM \(table)") }
        numbers = [:]
        hasRemoved = true
    }
}
