import BatonSQLiteLibrary
import Foundation
import Testing

@testable import BatonSQLite

/// A file of a test, in a folder of its own that goes with it.
final class SQLiteFile: Sendable {
    let folder: URL
    var path: String { folder.appending(path: "store.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "baton-sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(
        _ options: SQLiteConnection.Options = .init(), library: SQLiteLibrary? = nil
    ) throws -> SQLiteConnection {
        try SQLiteConnection(path, options, library: try library ?? SQLiteLibrary.load())
    }

    /// Opens the file with a log and a table of rows.
    func openWithRows(_ count: Int = 0) throws -> SQLiteConnection {
        let connection = try open()
        try connection.useLog(.normal)
        try connection.run("CREATE TABLE IF NOT EXISTS rows(key INTEGER PRIMARY KEY, data BLOB)")
        let insert = try connection.prepare("INSERT INTO rows(data) VALUES(?1)")
        try connection.run("BEGIN")
        for number in 0..<count {
            try insert.use { run throws(SQLiteError) in
                try run.bind("row \(number) " + String(repeating: "-", count: number % 300), at: 1)
                _ = try run.step()
            }
        }
        try connection.run("COMMIT")
        return connection
    }

    /// The permissions of the file whose name ends so.
    func permissions(_ end: String = "") throws -> Int {
        try #require(
            FileManager.default.attributesOfItem(atPath: path + end)[.posixPermissions] as? Int)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where the system has no SQLite.
    static var needsSQLite: Self { .enabled(if: SQLiteLibrary.isAvailable, "there is no libsqlite3 on this machine") }
}

/// The kind of the error that a call throws; null if it throws none.
func failure(_ body: () throws -> Void) -> SQLiteError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SQLiteError)?.kind
    }
}
