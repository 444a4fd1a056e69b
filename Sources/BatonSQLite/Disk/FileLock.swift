import BatonSQLiteLibrary

/// The lock under which one holder at a time writes a file, of all processes and of all environments in one.
///
/// It is a file of its own beside the file. SQLite before 3.51.3 can damage its log when two connections write and move
/// the log at the same time.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    init(of path: String, wait: Duration) throws(SQLiteError) {
        var code: Int32 = 0
        let nanoseconds = Int64(clamping: Int(min(max(wait, .zero), SQLiteConnection.longestWait) / .nanoseconds(1)))
        descriptor = baton_sqlite_lock(path + "-lock", nanoseconds, &code)
        switch descriptor {
        case -1: throw SQLiteError(Int32(BATON_SQLITE_BUSY), "another process or environment is writing the file")
        case -2:
            throw SQLiteError(
                Int32(BATON_SQLITE_CANTOPEN), "the lock beside the file cannot be made (error \(code))")
        default: break
        }
    }

    deinit { if descriptor >= 0 { baton_sqlite_unlock(descriptor) } }
}
