import BatonSQLiteLibrary

/// The lock under which one holder at a time writes a file, of all processes and of all environments in one.
///
/// It is a file of its own beside the file. SQLite before 3.51.3 can damage its log when two connections write and move
/// the log at the same time.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// How long a wait goes on before it is seen that it was stopped.
    private static let slice = Duration.milliseconds(20)

    init(of path: String, wait: Duration, unless stop: SQLiteStop? = nil) throws(SQLiteError) {
        descriptor = try Self.lock(path + "-lock", wait, stop)
    }

    private static func lock(
        _ path: String, _ wait: Duration, _ stop: SQLiteStop?
    ) throws(SQLiteError) -> Int32 {
        var left = min(max(wait, .zero), SQLiteConnection.longestWait)
        while true {
            let pause = stop == nil ? left : min(left, slice)
            var code: Int32 = 0
            let descriptor = baton_sqlite_lock(path, Int64(pause / .nanoseconds(1)), &code)
            if descriptor >= 0 { return descriptor }
            guard descriptor == -1 else {
                throw SQLiteError(
                    Int32(BATON_SQLITE_CANTOPEN), "the lock beside the file cannot be made (error \(code))")
            }
            try stop?.check()
            left -= pause
            guard left > .zero else {
                throw SQLiteError(Int32(BATON_SQLITE_BUSY), "another process or environment is writing the file")
            }
        }
    }

    deinit { if descriptor >= 0 { baton_sqlite_unlock(descriptor) } }
}
