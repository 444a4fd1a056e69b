import Baton
import DiskCuts
import Foundation
import Testing

@testable import BatonSQLite

/// Programs that die of what is stored, as processes of their own.
@Suite(.needsSQLite) struct OpeningNoteTests {
    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    private static var program: URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent().appending(path: "disk-cuts")
        #else
            return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "disk-cuts")
        #endif
    }

    /// Runs processes one after the other, and returns what each has said of the file.
    private func run(_ ends: StoreDeaths.End...) throws -> [String] {
        try ends.map { try StoreDeaths.run(Self.program, file.path, $0) }
    }

    private var asides: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
                .filter { $0.contains("damaged") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
        }
    }

    /// Opens the file as a program that ends well.
    private func open() throws -> (replaced: PersistenceError?, record: [UInt8]?) {
        let disk = SQLiteDisk(path: file.path)
        let replaced = try disk.open().replaced
        let record = try disk.read([StoreDeaths.record])[0]
        disk.close()
        return (replaced, record)
    }

    private func isKept() throws -> Bool {
        let (replaced, record) = try open()
        return replaced == nil && record == [1]
    }

    @Test func afterTwoDeathsANewFileBegins() throws {
        try StoreDeaths.fill(file.path)
        #expect(try run(.dies, .dies) == ["kept", "kept"])
        let (replaced, record) = try open()
        #expect(replaced?.kind == .crashLoop)
        #expect(replaced?.message.contains("store.sqlite.damaged-1") == true)
        #expect(record == nil)
        #expect(try asides == ["store.sqlite.damaged-1"])
        // Nothing is lost: the file that was put aside has what it had.
        let aside = SQLiteDisk(path: file.path + ".damaged-1")
        _ = try aside.open()
        #expect(try aside.read([StoreDeaths.record]) == [[1]])
        #expect(try open().replaced == nil)
    }

    /// Whoever ends otherwise has not died of the file, and deaths are counted anew.
    @Test(arguments: StoreDeaths.End.allCases.filter { $0 != .dies })
    func otherEndsAreNoDeaths(_ end: StoreDeaths.End) throws {
        try StoreDeaths.fill(file.path)
        #expect(try run(end, end, end, .dies, end, .dies) == Array(repeating: "kept", count: 6))
        #expect(try isKept())
        #expect(try run(.dies, .dies, end) == ["kept", "kept", "crashLoop"])
    }

    /// A program that dies of something else makes no files.
    @Test func anEmptyFileIsNothingToDieOf() throws {
        let kept = Array(repeating: "kept", count: 4)
        #expect(try run(.dies, .dies, .dies, .dies) == kept)
        try StoreDeaths.fill(file.path)
        #expect(try run(.dies, .dies, .dies) == ["kept", "kept", "crashLoop"])
        #expect(try run(.dies, .dies, .dies, .dies) == kept)
        #expect(try asides == ["store.sqlite.damaged-1"])
    }

    /// What another process has open is neither counted nor moved.
    @Test func besideALivingProcessNothingIsCounted() throws {
        try StoreDeaths.fill(file.path)
        let living = SQLiteDisk(path: file.path)
        _ = try living.open()
        #expect(try run(.dies, .dies, .dies) == ["kept", "kept", "kept"])
        living.close()
        #expect(try run(.dies) == ["kept"])
        let next = SQLiteDisk(path: file.path)
        #expect(try next.open().replaced == nil)
        #expect(try run(.dies, .dies) == ["kept", "kept"])
        next.close()
        #expect(try isKept())
        #expect(try asides == [])
    }

    #if os(Linux)
        /// Copies the descriptors of a file, as a process has them that another thread is starting.
        private func copies(of path: String) throws -> [Int32] {
            let folder = "/proc/self/fd"
            // All are found before the first is copied, because the listing has a descriptor of its own.
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path
            }.compactMap { Int32($0).map { dup($0) } }
        }

        @Test func aProcessThatIsBeingStartedHoldsNothing() throws {
            var copied: [Int32] = []
            defer { for copy in copied { close(copy) } }
            do {
                let note = try #require(OpeningNote(of: file.path))
                note.noteWritten()
                let lock = try FileLock(of: file.path, wait: .zero)
                copied = try ["-opened", "-lock"].flatMap { try copies(of: file.path + $0) }
                _ = consume lock
            }
            #expect(copied.count == 2)
            let note = try #require(OpeningNote(of: file.path))
            note.count()
            #expect(try Data(contentsOf: URL(filePath: file.path + "-opened")) == Data([2]))
            #expect(throws: Never.self) { _ = try FileLock(of: file.path, wait: .zero) }
        }
    #endif

    /// An opening that fails is none.
    @Test func aFailedOpeningIsNotCounted() throws {
        try StoreDeaths.fill(file.path)
        let connection = try file.open()
        try connection.run("PRAGMA user_version = \(DiskTables.format + 1)")
        for _ in 0..<4 {
            #expect(throws: PersistenceError.self) { try SQLiteDisk(path: file.path).open() }
        }
        try connection.run("PRAGMA user_version = \(DiskTables.format)")
        connection.close()
        #expect(try isKept())
    }
}
