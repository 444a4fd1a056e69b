import Foundation
import RandomCases
import Testing

@testable import BatonSQLite

@Suite("Connections of SQLite", .needsSQLite) struct SQLiteConnectionTests {
    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    @Test func theFileAndWhatLiesBesideItAreTheOwners() throws {
        let connection = try file.openWithRows(3)
        for end in ["", "-wal", "-shm"] { #expect(try file.permissions(end) == 0o600) }
        connection.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path) == ["store.sqlite"])
    }

    @Test func whatOthersCouldReadBecomesTheOwners() throws {
        let first = try file.openWithRows(3)
        for end in ["", "-wal", "-shm"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path + end)
        }
        let second = try file.openWithRows(3)
        for end in ["", "-wal", "-shm"] { #expect(try file.permissions(end) == 0o600) }
        #expect(try second.integer("SELECT count(*) FROM rows") == 6)
        first.close()
    }

    @Test func aLockOfAnotherIsBusyAfterTheWait() throws {
        let first = try file.openWithRows(1)
        try first.run("BEGIN IMMEDIATE")
        let second = try file.open(.init(wait: .milliseconds(40)))
        let clock = ContinuousClock()
        let start = clock.now
        let error = try #require(throws: SQLiteError.self) { try second.run("BEGIN IMMEDIATE") }
        #expect(start.duration(to: clock.now) >= .milliseconds(40))
        #expect(error.kind == .busy)
        #expect(error.code == 5)
        #expect(error.message == "database is locked")
        #expect(!second.isInTransaction)
        try first.run("ROLLBACK")
        try second.run("BEGIN IMMEDIATE; DELETE FROM rows")
        #expect(second.changes == 1)
        #expect(second.isInTransaction)
        try second.run("COMMIT")
    }

    @Test func aConnectionForReadingWritesNothing() throws {
        #expect(failure { _ = try file.open(.init(isReadOnly: true)) } == .cannotOpen)
        let writer = try file.openWithRows(2)
        let reader = try file.open(.init(isReadOnly: true))
        #expect(try reader.integer("SELECT count(*) FROM rows") == 2)
        #expect(failure { try reader.run("DELETE FROM rows") } == .readOnly)
        writer.close()
    }

    @Test func aFullFileIsAnErrorAndGoesOnAfterIt() throws {
        let connection = try file.openWithRows(10)
        try connection.run("PRAGMA max_page_count = 20")
        let insert = try connection.prepare("INSERT INTO rows(data) VALUES(zeroblob(1000000))")
        #expect(failure { try insert.run() } == .full)
        #expect(try connection.integer("SELECT count(*) FROM rows") == 10)
        try connection.run("PRAGMA max_page_count = 2000")
        try insert.run()
        #expect(connection.lastRow == 11)
        #expect(try connection.integer("SELECT length(data) FROM rows WHERE key = 11") == 1_000_000)
    }

    @Test func aFileOfSomethingElseIsNoDatabase() throws {
        let text = String(repeating: "This is a letter and no database. ", count: 200)
        try Data(text.utf8).write(to: URL(filePath: file.path))
        #expect(failure { _ = try file.openWithRows() } == .notADatabase)
        #expect(try String(contentsOf: URL(filePath: file.path), encoding: .utf8) == text)
    }

    @Test func aDamagedFileIsCorrupt() throws {
        try file.openWithRows(2000).close()
        let handle = try FileHandle(forUpdating: URL(filePath: file.path))
        try handle.seek(toOffset: 3 * 4096)
        try handle.write(contentsOf: Data(repeating: 0xAB, count: 20 * 4096))
        try handle.close()
        let connection = try file.open()
        #expect(failure { _ = try connection.integer("SELECT sum(length(data)) FROM rows") } == .corrupt)
    }

    /// Bytes anywhere in a file are changed: each call gives rows or an error, and none ends the process.
    @Test(arguments: RandomCases.seeds(60))
    func noDamageTraps(_ seed: Int) throws {
        try file.openWithRows(60).close()
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        var random = SeededGenerator(seed: seed)
        for _ in 0...random.below(40) {
            // Half of the damage is where the structure of the file is told.
            let place = random.below(random.chance(50) ? 200 : bytes.count)
            bytes[bytes.startIndex + place] = UInt8(random.below(256))
        }
        if random.chance(25) { bytes.removeLast(random.below(bytes.count)) }
        try bytes.write(to: URL(filePath: file.path))
        do {
            let connection = try file.open()
            let select = try connection.prepare("SELECT key, data, rowid FROM rows")
            try select.use { run throws(SQLiteError) in
                while try run.step() {
                    for column in 0..<run.columnCount {
                        (_, _, _) = (run.type(column), run.integer(column), run.double(column))
                        _ = run.text(column)
                        _ = try run.bytes(column) { $0.reduce(0) { $0 &+ Int($1) } }
                    }
                }
            }
            try connection.run("DELETE FROM rows WHERE key % 3 = 0; INSERT INTO rows(data) VALUES('more')")
        } catch let error as SQLiteError {
            #expect(error.kind != .misuse && error.kind != .unavailable, "\(error)")
        }
    }

    @Test func theVersionOfTheDataChangesWithTheChangesOfOthers() throws {
        let (first, second) = (try file.openWithRows(1), try file.openWithRows(1))
        let version = try first.dataVersion()
        try first.run("DELETE FROM rows")
        #expect(try first.dataVersion() == version)
        try second.run("INSERT INTO rows VALUES(NULL, 'new')")
        #expect(try first.dataVersion() != version)
        #expect(try first.dataVersion() == first.dataVersion())
    }

    @Test func aClosedConnectionRefusesEverything() throws {
        let connection = try file.openWithRows(2)
        let select = try connection.prepare("SELECT key FROM rows")
        _ = try connection.dataVersion()
        try connection.run("BEGIN; DELETE FROM rows")
        connection.close()
        connection.close()
        #expect(failure { try select.run() } == .misuse)
        #expect(failure { try connection.run("SELECT 1") } == .misuse)
        #expect(failure { _ = try connection.dataVersion() } == .misuse)
        #expect(!connection.isInTransaction)
        // What was not committed is gone.
        #expect(try file.open().integer("SELECT count(*) FROM rows") == 2)
    }

    @Test func aRunEndsWithItsConnection() throws {
        let connection = try file.openWithRows(5)
        let select = try connection.prepare("SELECT key FROM rows")
        try select.use { run throws(SQLiteError) in
            #expect(try run.step())
            connection.close()
            #expect(run.integer(0) == 0)
            #expect(run.text(0) == nil)
            #expect(run.columnCount == 0)
            #expect(failure { _ = try run.step() } == .misuse)
            #expect(failure { try run.bind(1, at: 1) } == .misuse)
        }
    }

    #if os(Linux)
        /// The locks that this process has on the file; those of the log are on its index.
        private func locks() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let node = try #require(attributes[.systemFileNumber] as? Int)
            return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                .filter { $0.contains(":\(node) ") }.count
        }

        @Test func aClosedConnectionHoldsNoLockOfTheFile() throws {
            let connection = try file.openWithRows(2)
            let select = try connection.prepare("SELECT key FROM rows")
            #expect(try select.use { run throws(SQLiteError) in try run.step() })
            #expect(try locks() > 0)
            connection.close()
            #expect(try locks() == 0)
            #expect(failure { try select.run() } == .misuse)
        }

        /// Whoever opens a file and closes it ends the locks that the process has on it.
        @Test func aConnectionToAFileThatIsOpenKeepsItsLocks() throws {
            let first = try file.openWithRows(2)
            let before = try locks()
            #expect(before > 0)
            let second = try file.open()
            #expect(try second.integer("SELECT count(*) FROM rows") == 2)
            #expect(try locks() == before)
            second.close()
            #expect(try locks() == before)
            first.close()
        }
    #endif

    @Test(arguments: ["", "a\0b"]) func aPathThatNoFileCanHaveIsRefused(_ path: String) throws {
        let library = try SQLiteLibrary.load()
        #expect(failure { _ = try SQLiteConnection(path, library: library) } == .cannotOpen)
    }

    @Test func aFileThatCannotBeMadeSaysWhy() throws {
        let library = try SQLiteLibrary.load()
        let error = try #require(throws: SQLiteError.self) {
            _ = try SQLiteConnection("/proc/nowhere/store.sqlite", library: library)
        }
        #expect(error.kind == .cannotOpen)
        #expect(error.message == "the file cannot be made for its owner alone (error 2)")
    }

    @Test func theSettingsAreThoseThatTheDocumentationSays() throws {
        let connection = try file.open()
        try connection.useLog(.normal)
        #expect(try connection.text("PRAGMA journal_mode") == "wal")
        #expect(try connection.integer("PRAGMA synchronous") == 1)
        try connection.setSynchronous(.full)
        #expect(try connection.integer("PRAGMA synchronous") == 2)
        #expect(try connection.integer("PRAGMA wal_autocheckpoint") == 0)
        #expect(try connection.integer("PRAGMA mmap_size") ?? 0 == 0)
        #expect(try connection.integer("PRAGMA temp_store") == 2)
        #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    }
}
