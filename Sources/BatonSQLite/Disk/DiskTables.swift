/// The tables of a file, and the statements that read and write them on one connection.
final class DiskTables {
    /// The number of the tables' form. A file of a later number is left alone.
    static let format: Int64 = 2
    /// Says that a file is one of Baton: "Bton" as a number.
    static let application: Int64 = 0x42_74_6F_6E

    static let schema = """
        CREATE TABLE settings(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE ids(id BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE rows(key INTEGER PRIMARY KEY, bytes BLOB NOT NULL, used INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE forms(number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE notes(name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(format);
        """

    /// Returns what makes a file of a format one of the next, at a time in seconds since 1970.
    static func migration(from format: Int64, at now: Int64) -> String {
        switch format {
        // What is there counts as used now.
        case 1: "ALTER TABLE rows ADD COLUMN used INTEGER NOT NULL DEFAULT \(now)"
        default: ""
        }
    }

    /// How old the time of a row's last use may be before a read notes another one, in seconds.
    static let age: Int64 = 3600
    /// A time of use that is so many seconds ahead says nothing and counts as long ago: a clock was wrong.
    static let ahead: Int64 = 86_400
    /// The greatest number of rows that are remembered until the next write. Others count as unused.
    private static let mostUses = 1 << 14

    let connection: SQLiteConnection
    /// The time in seconds since 1970; nil if nobody asks when a row was used.
    private let now: (@Sendable () -> Int64)?
    /// The rows that were read and whose use is not noted.
    private(set) var uses: Set<Int64> = []
    private let number: SQLiteStatement
    private let row: SQLiteStatement
    private let form: SQLiteStatement
    private let note: SQLiteStatement
    private let setting: SQLiteStatement
    private let begin: SQLiteStatement
    private let end: SQLiteStatement

    init(_ connection: SQLiteConnection, now: (@Sendable () -> Int64)? = nil) throws(SQLiteError) {
        self.connection = connection
        self.now = now
        number = try connection.prepare("SELECT number FROM ids WHERE id = ?")
        row = try connection.prepare("SELECT bytes, used FROM rows WHERE key = ?")
        form = try connection.prepare("SELECT bytes FROM forms WHERE number = ?")
        note = try connection.prepare("SELECT bytes FROM notes WHERE name = ?")
        setting = try connection.prepare("SELECT value FROM settings WHERE name = ?")
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
    }

    /// The number of an owner; nil if the file has none.
    func number(of owner: ArraySlice<UInt8>) throws(SQLiteError) -> Int64? {
        let owner = Array(owner)
        return try number.use { run throws(SQLiteError) in
            try run.bind(owner, at: 1)
            return try run.step() ? run.integer(0) : nil
        }
    }

    /// The bytes of a row; nil if the file does not have it. The row counts as used.
    func row(_ key: Int64) throws(SQLiteError) -> [UInt8]? {
        try row.use { run throws(SQLiteError) in
            try run.bind(key, at: 1)
            guard try run.step() else { return nil }
            if let now = now?(), uses.count < Self.mostUses,
                !(now - Self.age...now.advanced(by: Int(Self.ahead)) ~= run.integer(1))
            {
                uses.insert(key)
            }
            return try run.copy(0)
        }
    }

    /// Takes the rows whose use is to be noted.
    func takeUses() -> Set<Int64> {
        defer { uses = [] }
        return uses
    }

    /// The number of bytes of the pages that are in use.
    func size() throws(SQLiteError) -> Int64 {
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let free = try connection.integer("PRAGMA freelist_count") ?? 0
        return (pages - free) * (try connection.integer("PRAGMA page_size") ?? 0)
    }

    func form(_ number: UInt64) throws(SQLiteError) -> [UInt8]? { try blob(form, Int64(bitPattern: number)) }

    private func blob(_ statement: SQLiteStatement, _ key: Int64) throws(SQLiteError) -> [UInt8]? {
        try statement.use { run throws(SQLiteError) in
            try run.bind(key, at: 1)
            return try run.step() ? run.copy(0) : nil
        }
    }

    func note(_ name: String) throws(SQLiteError) -> [UInt8]? {
        try note.use { run throws(SQLiteError) in
            try run.bind(name, at: 1)
            return try run.step() ? run.copy(0) : nil
        }
    }

    func number(for name: String) throws(SQLiteError) -> Int64? {
        try setting.use { run throws(SQLiteError) in
            try run.bind(name, at: 1)
            return try run.step() ? run.integer(0) : nil
        }
    }

    func text(for name: String) throws(SQLiteError) -> String? {
        try setting.use { run throws(SQLiteError) in
            try run.bind(name, at: 1)
            return try run.step() ? run.text(0) : nil
        }
    }

    /// Calls `body` while the file stands still for this connection.
    func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try begin.run()
        let result: Result
        do throws(SQLiteError) {
            result = try body()
        } catch {
            try? end.run()
            throw error
        }
        try end.run()
        return result
    }
}
