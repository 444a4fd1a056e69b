import BatonSQLiteLibrary
import Foundation
import Testing

@testable import BatonSQLite

@Suite("The library of SQLite") struct SQLiteLibraryTests {
    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    @Test func aMissingLibraryIsNamed() throws {
        let error = try #require(throws: SQLiteError.self) { try SQLiteLibrary.load(named: "libbaton-nowhere.so") }
        #expect(error.kind == .unavailable)
        #expect(
            error.description
                == "there is no 'libbaton-nowhere.so' on this system: install SQLite, or give the name of its library")
    }

    @Test func aFileThatIsNoLibraryIsMissing() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString).so").path
        try Data("no library".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(failure { _ = try SQLiteLibrary.load(named: path) } == .unavailable)
    }

    #if os(Linux)
        @Test func anotherLibraryLacksFunctions() throws {
            let error = try #require(throws: SQLiteError.self) { try SQLiteLibrary.load(named: "libm.so.6") }
            #expect(error.description == "'libm.so.6' lacks functions of SQLite 3.15.0")
        }
    #endif

    @Test(arguments: ["", "libsqlite3\0.so.0"])
    func aNameThatNoLibraryCanHaveIsRefused(_ name: String) {
        #expect(failure { _ = try SQLiteLibrary.load(named: name) } == .unavailable)
    }

    @Test(arguments: [
        (BATON_SQLITE_TOO_OLD, "'x' (3.7.17) is too old: 3.15.0 or newer is needed"),
        (BATON_SQLITE_STATIC, "a fully static program cannot open 'x'"),
        (BATON_SQLITE_SINGLE_THREADED, "'x' (3.7.17) is built for programs of one thread"),
        (BATON_SQLITE_FAILED, "'x' (3.7.17) could not be initialized"),
    ])
    func eachReasonHasAText(_ status: Int, _ text: String) {
        #expect(SQLiteLibrary.unavailable(status, "x", version: 3_007_017).description == text)
    }

    @Test(.needsSQLite) func theLibraryIsOpenedOnce() throws {
        let (first, second) = (try SQLiteLibrary.load(), try SQLiteLibrary.load())
        #expect(first.functions == second.functions)
        #expect(first.version.hasPrefix("3."))
    }

    @Test(.needsSQLite) func aKeyNeedsALibraryThatEncrypts() throws {
        let library = try SQLiteLibrary.load()
        guard !library.hasKeys else { return }
        #expect(failure { _ = try file.open(.init(key: Array("secret".utf8))) } == .unavailable)
    }

    /// `BATON_SQLCIPHER` is the name of the library where it is not found by itself.
    static var cipher: SQLiteLibrary? {
        try? .load(named: ProcessInfo.processInfo.environment["BATON_SQLCIPHER"] ?? "libsqlcipher.so.0")
    }

    @Test(.enabled(if: cipher?.hasKeys == true, "there is no libsqlcipher on this machine"))
    func aFileWithAKeyIsReadWithItAlone() throws {
        let library = try #require(Self.cipher)
        let key = Array("a key of a test".utf8)
        let connection = try file.open(.init(key: key), library: library)
        try connection.useLog(.full)
        try connection.run("CREATE TABLE words(word TEXT); INSERT INTO words VALUES('unmistakable')")
        for end in ["", "-wal", "-shm"] {
            let bytes = try Data(contentsOf: URL(filePath: file.path + end))
            #expect(bytes.range(of: Data("unmistakable".utf8)) == nil)
        }
        connection.close()

        let again = try file.open(.init(key: key), library: library)
        #expect(try again.text("SELECT word FROM words") == "unmistakable")
        again.close()
        for key in [Array("another key".utf8), nil] {
            #expect(
                failure { _ = try file.open(.init(key: key), library: library).text("SELECT word FROM words") }
                    == .notADatabase)
        }
        if SQLiteLibrary.isAvailable {
            #expect(failure { _ = try file.open().text("SELECT word FROM words") } == .notADatabase)
        }
    }
}
