/// What SQLite says of a file, for tests.
package enum SQLiteFileCheck {
    /// Returns `ok`, or what is wrong with the file.
    package static func integrity(of path: String) throws -> String { try text("PRAGMA integrity_check", path) }

    /// Returns how the file keeps its changes.
    package static func journalMode(of path: String) throws -> String { try text("PRAGMA journal_mode", path) }

    private static func text(_ statement: String, _ path: String) throws -> String {
        let connection = try SQLiteConnection(path, library: SQLiteLibrary.load())
        defer { connection.close() }
        return try connection.text(statement) ?? ""
    }
}
