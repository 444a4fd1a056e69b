import Baton

extension PersistenceError {
    /// An error of SQLite, as those see it who keep data in a file.
    init(_ error: SQLiteError) {
        let kind: Kind =
            switch error.kind {
            case .unavailable: .unavailable
            case .busy: .busy
            case .readOnly: .readOnly
            case .full: .full
            case .corrupt: .damaged
            case .notADatabase: .foreign
            case .cannotOpen, .inputOutput: .inputOutput
            // Nothing else interrupts a call.
            case .interrupted: .suspended
            default: .other
            }
        self.init(error.description, kind)
    }
}

/// Calls `body`, and tells an error of SQLite as one of the file.
func reporting<Result>(_ body: () throws(SQLiteError) -> Result) throws(PersistenceError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw PersistenceError(error) }
}
