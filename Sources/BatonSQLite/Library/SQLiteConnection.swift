import BatonSQLiteLibrary

/// An open file. It belongs to one thread at a time: SQLite takes no lock for it.
///
/// The file, its log and its index can be read and written by their owner alone. Nothing of it is mapped into memory,
/// because a mapped page that cannot be read ends the process. The log is moved into the file only when the owner of
/// the connection says so.
package final class SQLiteConnection {
    package struct Options {
        package var isReadOnly = false
        /// For how long a call may wait for locks of others in all, up to ``SQLiteConnection/longestWait``.
        package var wait = Duration.zero
        /// The key of an encrypted file, for a library that encrypts.
        package var key: [UInt8]?

        /// Ends the calls of the connection from another thread.
        package var stop: SQLiteStop?

        package init(
            isReadOnly: Bool = false, wait: Duration = .zero, key: [UInt8]? = nil, stop: SQLiteStop? = nil
        ) {
            self.isReadOnly = isReadOnly
            self.wait = wait
            self.key = key
            self.stop = stop
        }
    }

    /// No call waits for longer than this for locks of others, whatever was asked for.
    static let longestWait = Duration.seconds(5)

    /// How much a commit waits for.
    package enum Synchronous: String {
        /// Nothing: a commit survives the process, and is durable after the next commit or checkpoint that syncs.
        case normal = "NORMAL"
        /// The log is synced before the commit returns.
        case full = "FULL"
    }

    let library: SQLiteLibrary
    /// Null after the connection was closed.
    private(set) var handle: OpaquePointer?
    private let waiting: UnsafeMutablePointer<BatonSQLiteWait>
    private let stop: SQLiteStop?
    /// The statement that asks for the version of the data, once it was needed.
    private var versionQuery: SQLiteStatement.Handle?

    /// Opens a file, or makes one unless it is opened for reading only.
    ///
    /// What the file has is not read yet: whether it is one of SQLite, and whether the key is right, shows in the first
    /// call that reads it.
    package init(_ path: String, _ options: Options = Options(), library: SQLiteLibrary) throws(SQLiteError) {
        // The rest of a path after a zero would be ignored.
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SQLiteError(Int32(BATON_SQLITE_CANTOPEN), "a path cannot be empty or have a zero byte in it")
        }
        // A path that begins with a word and a colon could be taken for a URL, or for a name with a meaning.
        let path = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        if !options.isReadOnly {
            let code = baton_sqlite_make_private(path)
            guard code == 0 else {
                throw SQLiteError(
                    Int32(BATON_SQLITE_CANTOPEN), "the file cannot be made for its owner alone (error \(code))")
            }
        }
        self.library = library
        stop = options.stop
        waiting = .allocate(capacity: 1)
        let limit = min(max(options.wait, .zero), Self.longestWait) / .nanoseconds(1)
        waiting.initialize(to: BatonSQLiteWait(limit: Int64(limit), start: 0, isStopped: 0))
        let mode = options.isReadOnly ? BATON_SQLITE_OPEN_READONLY : BATON_SQLITE_OPEN_READWRITE
        let code = library.functions.pointee.open_v2(
            path, &handle, Int32(mode | BATON_SQLITE_OPEN_NOMUTEX), nil)
        guard let handle else { throw SQLiteError(code, library.text(code)) }
        try check(code)
        try check(library.functions.pointee.extended_result_codes(handle, 1))
        try check(baton_sqlite_set_wait(library.functions, handle, waiting))
        stop?.add(handle, library, waiting)
        if let key = options.key { try setKey(key, of: handle) }
        baton_sqlite_defend(library.functions, handle)
        // Older libraries do nothing for pragmas that they do not know.
        try run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        try run("PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0")
    }

    deinit {
        close()
        waiting.deallocate()
    }

    /// Ends all statements and closes the file, so that no lock of it is held. It can be called again.
    ///
    /// A transaction that has not been committed is rolled back. The last connection to a file moves the log into it,
    /// unless `isLogKept`.
    package func close(isLogKept: Bool = false) {
        guard let handle else { return }
        stop?.remove(handle)
        self.handle = nil
        if isLogKept { baton_sqlite_keep_log(library.functions, handle) }
        versionQuery = nil
        let functions = library.functions
        while let statement = functions.pointee.next_stmt(handle, nil) { _ = functions.pointee.finalize(statement) }
        _ = functions.pointee.close(handle)
    }

    private func setKey(_ key: [UInt8], of handle: OpaquePointer) throws(SQLiteError) {
        guard let function = library.functions.pointee.key else {
            throw .unavailable("SQLite \(library.version) does not encrypt: give the name of a library that does")
        }
        guard !key.isEmpty, let count = Int32(exactly: key.count) else { throw .misuse("the key has no usable length") }
        var code = Int32(BATON_SQLITE_NOMEM)
        key.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { code = function(handle, start, count) }
        }
        try check(code)
    }

    // MARK: - Statements

    /// Prepares a statement, which is best kept: it costs more than a run of it.
    package func prepare(_ text: String) throws(SQLiteError) -> SQLiteStatement {
        var text = text
        guard let prepared = try prepareNext(&text) else { throw .misuse("a statement is empty") }
        return SQLiteStatement(prepared, self)
    }

    /// Runs one or more statements to their ends, and ignores their rows.
    package func run(_ text: String) throws(SQLiteError) {
        var rest = text
        while let prepared = try prepareNext(&rest) {
            try SQLiteStatement(prepared, self).use { run throws(SQLiteError) in while try run.step() {} }
        }
    }

    /// The first column of the first row as a number; null if there is no row.
    package func integer(_ text: String) throws(SQLiteError) -> Int64? {
        try prepare(text).use { run throws(SQLiteError) in try run.step() ? run.integer(0) : nil }
    }

    /// The first column of the first row as a text; null if there is no row or the text is not UTF-8.
    package func text(_ text: String) throws(SQLiteError) -> String? {
        try prepare(text).use { run throws(SQLiteError) in try run.step() ? run.text(0) : nil }
    }

    /// Prepares the first statement of a text and takes it away; null if there is none.
    private func prepareNext(_ text: inout String) throws(SQLiteError) -> OpaquePointer? {
        let handle = try opened()
        beginCall()
        var statement: OpaquePointer?
        var (code, used) = (Int32(BATON_SQLITE_OK), 0)
        // Blanks and comments are statements without a handle.
        while statement == nil, code == BATON_SQLITE_OK, used < text.utf8.count {
            text = String(text.utf8.dropFirst(used)) ?? ""
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let start = characters.baseAddress, let count = Int32(exactly: characters.count) else {
                        code = Int32(BATON_SQLITE_TOOBIG)
                        return
                    }
                    var rest: UnsafePointer<CChar>?
                    code = library.functions.pointee.prepare_v2(handle, start, count, &statement, &rest)
                    used = rest.map { $0 - start } ?? characters.count
                    // A zero byte ends a text for SQLite.
                    if statement == nil, used == 0 { used = characters.count }
                }
            }
        }
        try check(code)
        text = String(text.utf8.dropFirst(used)) ?? ""
        return statement
    }

    /// The handle of a connection that is open.
    func opened() throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw .misuse("the connection is closed") }
        return handle
    }

    /// From here on a call may wait for locks.
    func beginCall() { waiting.pointee.start = 0 }

    // MARK: - Transactions and pragmas

    /// Whether a transaction is open.
    var isInTransaction: Bool {
        guard let handle else { return false }
        return library.functions.pointee.get_autocommit(handle) == 0
    }

    /// The number of rows that the last statement has inserted, changed or deleted.
    var changes: Int {
        guard let handle else { return 0 }
        return Int(library.functions.pointee.changes(handle))
    }

    /// The number of the row that was inserted last.
    var lastRow: Int64 {
        guard let handle else { return 0 }
        return library.functions.pointee.last_insert_rowid(handle)
    }

    /// A number that is another one after another connection has changed the file. The own changes do not count.
    func dataVersion() throws(SQLiteError) -> Int64 {
        let query: SQLiteStatement.Handle
        if let known = versionQuery {
            query = known
        } else {
            var text = "PRAGMA data_version"
            guard let prepared = try prepareNext(&text) else { throw .misuse("a statement is empty") }
            query = SQLiteStatement.Handle(prepared)
            versionQuery = query
        }
        return try query.use(self) { run throws(SQLiteError) in try run.step() ? run.integer(0) : 0 }
    }

    /// Keeps changes in a log beside the file, and says what a commit waits for.
    ///
    /// - Throws: An error of the kind `failed` if the file is where a log cannot be kept, or what reading it throws.
    package func useLog(_ synchronous: Synchronous) throws(SQLiteError) {
        let mode = try text("PRAGMA journal_mode = WAL") ?? "none"
        guard mode == "wal" else {
            throw SQLiteError(Int32(BATON_SQLITE_ERROR), "the file cannot have a log: its mode stays '\(mode)'")
        }
        try setSynchronous(synchronous)
    }

    /// Says what the next commits wait for; not inside a transaction.
    func setSynchronous(_ synchronous: Synchronous) throws(SQLiteError) {
        try run("PRAGMA synchronous = \(synchronous.rawValue)")
    }

    // MARK: - Errors

    /// Throws the error of a code that is not good.
    func check(_ code: Int32) throws(SQLiteError) {
        guard Int(code) == BATON_SQLITE_OK else { throw error(code) }
    }

    /// What the connection says about a code that a call of it has just returned.
    func error(_ code: Int32) -> SQLiteError {
        guard let handle else { return SQLiteError(code, library.text(code)) }
        // The connection speaks of its last call, which is another one if this call was refused before it began.
        let known = library.functions.pointee.extended_errcode(handle)
        guard known & 0xFF == code & 0xFF, let text = library.functions.pointee.errmsg(handle) else {
            return SQLiteError(code, library.text(code))
        }
        return SQLiteError(known, String(cString: text))
    }
}
