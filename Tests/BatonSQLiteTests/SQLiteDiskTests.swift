import Baton
import Foundation
import RandomCases
import StoreModel
import Synchronization
import Testing

@testable import BatonSQLite

/// The file under a store, beside one in memory that does the same.
@Suite(.needsSQLite) struct SQLiteDiskTests {
    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    private func disk(_ change: (inout SQLiteDiskOptions) -> Void = { _ in }) -> SQLiteDisk {
        var options = SQLiteDiskOptions(path: file.path)
        options.wait = .milliseconds(50)
        change(&options)
        return SQLiteDisk(options)
    }

    private func put(_ texts: [String: String], into disk: SQLiteDisk) throws {
        try disk.write { (transaction) throws(PersistenceError) in
            for (id, text) in texts { try transaction.put(Array(text.utf8), at: DiskIdentity(Array(id.utf8))) }
        }
    }

    private func text(_ id: String, in disk: SQLiteDisk) throws -> String? {
        try disk.read([DiskIdentity(Array(id.utf8))])[0].map { String(decoding: $0, as: UTF8.self) }
    }

    private func openError(_ disk: SQLiteDisk) -> PersistenceError.Kind? {
        do throws(PersistenceError) {
            _ = try disk.open()
            return nil
        } catch { return error.kind }
    }

    /// Identities of records with ids, of their embedded records, of items of long and short lists, and of the root.
    private func identity(_ generator: inout SeededGenerator) -> DiskIdentity {
        var bytes = Array((["client:root", "1", "2", "film:3"].randomElement(using: &generator) ?? "1").utf8)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            bytes.append(DiskIdentity.key)
            bytes += Array(
                (["a", "edges", "list(first:1)", "list(first:2)"].randomElement(using: &generator) ?? "").utf8)
            if Bool.random(using: &generator) {
                let index = [0, 1, 7, 8, 9, 63, 64, 1000].randomElement(using: &generator) ?? 0
                bytes.append(DiskIdentity.index)
                for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: index >> shift)) }
            }
        }
        return DiskIdentity(bytes)
    }

    @Test(arguments: RandomCases.seeds(8, from: UInt64(0))) func itDoesWhatAFileInMemoryDoes(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let model = MemoryDisk()
        var real = disk()
        _ = try (real.open(), model.open())
        for step in 0..<120 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                real.close()
                real = disk()
                let (opened, expected) = (try real.open(), try model.open())
                #expect(opened.session == expected.session && opened.notes == expected.notes)
            case 1: try real.sync()
            case 2: try real.moveLog()
            case 3...10:
                let wanted = (0..<Int.random(in: 1...20, using: &generator)).map { _ in identity(&generator) }
                #expect(try real.read(wanted) == model.read(wanted))
            default:
                let changes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    (
                        identity(&generator),
                        (0..<Int.random(in: 1...40, using: &generator)).map { UInt8($0) + UInt8(step) }
                    )
                }
                let (empties, fails) = (generator.chance(5), generator.chance(10))
                let removed = generator.chance(15) ? UInt8.random(in: 0...1, using: &generator) : nil
                let reads = changes.map { _ in identity(&generator) }
                func change(_ transaction: any DiskTransaction) throws(PersistenceError) -> [[UInt8]?] {
                    if empties { try transaction.removeAll() }
                    if let removed { try transaction.removeRecords { $0.count % 2 == Int(removed) } }
                    var found: [[UInt8]?] = []
                    for (place, change) in changes.enumerated() {
                        try transaction.put(change.1, at: change.0)
                        found.append(try transaction.read(reads[place]))
                    }
                    try transaction.put(form: [UInt8(step)], UInt64(step % 7) &* UInt64.max / 3)
                    try transaction.put([UInt8(step)], for: .version)
                    if fails { throw PersistenceError("given up") }
                    return found
                }
                var found: [[[UInt8]?]] = []
                for disk in [real, model] as [any RecordDisk] {
                    do throws(PersistenceError) {
                        try disk.write { (transaction) throws(PersistenceError) in found.append(try change(transaction))
                        }
                    } catch { #expect(fails) }
                }
                #expect(fails || found.count == 2 && found[0] == found[1])
                let number = UInt64(step % 7) &* UInt64.max / 3
                #expect(try real.form(number) == model.form(number))
            }
        }
    }

    /// A transaction that gathers much writes rows before its end, and finds them again.
    @Test func aLargeTransactionKeepsWhatItHasWritten() throws {
        let disk = disk()
        _ = try disk.open()
        let parts = ["a", "b"].map { DiskIdentity(Array("owner".utf8) + [DiskIdentity.key] + Array($0.utf8)) }
        try disk.write { (transaction) throws(PersistenceError) in
            try transaction.put([1], at: parts[0])
            let large = [UInt8](repeating: 7, count: 1 << 20)
            for number in 0..<20 {
                try transaction.put(large, at: DiskIdentity(parts[0].bytes + [DiskIdentity.key, UInt8(number) + 65]))
            }
            #expect(try transaction.read(parts[0]) == [1])
            for number in 0..<20 { try transaction.put(large, at: DiskIdentity([UInt8(number) + 65])) }
            #expect(try transaction.read(parts[0]) == [1])
            try transaction.put([2], at: parts[1])
        }
        #expect(try disk.read(parts) == [[1], [2]])
    }

    @Test func noSessionIsGivenTwice() throws {
        var sessions: [UInt32] = []
        for round in 0..<3 {
            let (one, other) = (disk(), disk())
            sessions += [try one.open().session, try other.open().session]
            if round == 1 { try one.write { (transaction) throws(PersistenceError) in try transaction.removeAll() } }
        }
        #expect(Set(sessions).count == 6)
    }

    @Test func aFileOfAnotherAccountOrGenerationIsEmptied() throws {
        let first = disk { $0.account = "a" }
        _ = try first.open()
        try put(["1": "secret of a"], into: first)
        first.close()
        let same = disk { $0.account = "a" }
        _ = try same.open()
        #expect(try text("1", in: same) == "secret of a")
        same.close()
        let other = disk { $0.account = "b" }
        let opening = try other.open()
        #expect(try text("1", in: other) == nil)
        #expect(opening.notes == [:] && opening.session == 3)
        try put(["1": "secret of b"], into: other)
        other.close()
        let newer = disk {
            $0.account = "b"
            $0.generation = "2"
        }
        _ = try newer.open()
        #expect(try text("1", in: newer) == nil)
        try newer.sync()
        let bytes = try Data(contentsOf: URL(filePath: file.path))
        #expect(bytes.range(of: Data("secret of".utf8)) == nil)
    }

    @Test func aFileOfANewerFormatIsLeftAlone() throws {
        let first = disk()
        _ = try first.open()
        try put(["1": "one"], into: first)
        first.close()
        let connection = try file.open()
        try connection.run("PRAGMA user_version = \(DiskTables.format + 1)")
        connection.close()
        let before = try Data(contentsOf: URL(filePath: file.path))
        #expect(openError(disk()) == .newerFormat)
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: file.folder.path).allSatisfy { !$0.contains("damaged") }
        )
    }

    /// A lock that cannot be opened stands for a locked device. A folder that is missing does not come by itself.
    @Test func aFileThatCannotBeOpenedYetIsOpenedLater() throws {
        let lock = file.path + "-lock"
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let store = try Store(disk: disk())
        #expect(throws: PersistenceError.self) { try store.writeToDisk() }
        _ = try store.update { try $0.create("1", type: "Note").setValue("one", forField: "text") }
        #expect(throws: PersistenceError.self) { try store.writeToDisk() }
        try FileManager.default.removeItem(atPath: lock)
        try store.writeToDisk()
        #expect(!store.hasUnwritten)
        #expect(try disk().open().session == 2)
        #expect(disk().opening(after: PersistenceError("newer", .newerFormat)) == nil)
        #expect(throws: PersistenceError.self) { try Store(disk: SQLiteDisk(path: "/no/such/folder/store")) }
    }

    @Test func aForeignOrDamagedFileIsPutAside() throws {
        try Data("no database, but a text that is long enough to be looked at".utf8)
            .write(to: URL(filePath: file.path))
        let first = disk()
        #expect(try first.open().replaced?.kind == .foreign)
        try put(["1": "one"], into: first)
        first.close()
        // Somebody else's tables.
        try FileManager.default.removeItem(atPath: file.path)
        let connection = try file.open()
        try connection.run("CREATE TABLE letters(text)")
        connection.close()
        let second = disk()
        #expect(try second.open().replaced?.kind == .foreign)
        #expect(try second.open().replaced == nil)
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: file.folder.path))
        #expect(names.isSuperset(of: ["store.sqlite", "store.sqlite.damaged-1", "store.sqlite.damaged-2"]))
    }

    /// A byte that is wrong anywhere is an error or other data, and never ends the process.
    @Test(arguments: RandomCases.seeds(20, from: UInt64(0))) func aDamagedFileNeverEndsTheProcess(_ seed: UInt64) throws
    {
        var generator = SeededGenerator(seed: seed)
        let first = disk()
        _ = try first.open()
        let identities = (0..<60).map { _ in identity(&generator) }
        try first.write { (transaction) throws(PersistenceError) in
            for (place, identity) in identities.enumerated() {
                try transaction.put(Array(repeating: UInt8(place), count: 200), at: identity)
            }
        }
        first.close()
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if generator.chance(30) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)) }
        try bytes.write(to: URL(filePath: file.path))
        let second = disk()
        guard openError(second) == nil else { return }
        for identity in identities { _ = try? second.read([identity]) }
        try? second.write { (transaction) throws(PersistenceError) in
            for identity in identities {
                _ = try transaction.read(identity)
                try transaction.put([1], at: identity)
            }
        }
        second.close()
    }

    @Test func anotherWriterIsWaitedForAndThenTold() throws {
        let (one, other) = (disk(), disk())
        _ = try (one.open(), other.open())
        try one.write { (transaction) throws(PersistenceError) in
            try transaction.put([1], at: DiskIdentity([65]))
            let group = DispatchGroup()
            DispatchQueue(label: "other").async(group: group) {
                #expect(throws: PersistenceError.self) { try put(["B": "two"], into: other) }
            }
            group.wait()
            // Readers wait for nobody, and see nothing yet.
            #expect(try other.read([DiskIdentity([65])]) == [nil])
        }
        #expect(try other.read([DiskIdentity([65]), DiskIdentity([66])]) == [[1], nil])
    }

    /// What another environment has emptied is looked up anew, though the number of the owner was known.
    @Test func twoOnOneFileSeeEachOthersOwners() throws {
        let (one, other) = (disk(), disk())
        _ = try (one.open(), other.open())
        try put(["1": "one", "2": "two"], into: one)
        try put(["2": "other two", "3": "three"], into: other)
        try one.write { (transaction) throws(PersistenceError) in try transaction.removeAll() }
        try put(["3": "third"], into: one)
        try put(["2": "second"], into: other)
        for disk in [one, other] {
            #expect(try ["1", "2", "3"].map { try text($0, in: disk) } == [nil, "second", "third"])
        }
    }

    /// A transaction knows that another process has written, until one of its own has been written.
    @Test func aTransactionKnowsOfOtherWriters() throws {
        let (one, other) = (disk(), disk())
        _ = try (one.open(), other.open())
        func isAfterOthers(failing: Bool = false) throws -> Bool? {
            var found: Bool?
            try? one.write { (transaction) throws(PersistenceError) in
                found = transaction.isAfterOthers
                if failing { throw PersistenceError("given up") }
            }
            return found
        }
        _ = try isAfterOthers()
        #expect(try isAfterOthers() == false)
        try put(["1": "one"], into: other)
        try one.sync()
        #expect(try isAfterOthers(failing: true) == true)
        #expect(try isAfterOthers() == true)
        #expect(try isAfterOthers() == false)
    }

    @Test func itsFilesAreTheOwnersAlone() throws {
        let disk = disk()
        _ = try disk.open()
        try put(["1": "one"], into: disk)
        #expect(
            try ["", "-wal", "-shm", "-lock", "-opened"].map { try file.permissions($0) }
                == Array(repeating: 0o600, count: 5))
    }

    /// After a reset and a sync nothing of the old text is in the file or its log.
    @Test func whatWasRemovedIsNowhere() throws {
        let disk = disk()
        _ = try disk.open()
        try put(Dictionary(uniqueKeysWithValues: (0..<500).map { ("id\($0)", "secret number \($0)") }), into: disk)
        try disk.moveLog()
        try put(["id7": "secret changed"], into: disk)
        try disk.write { (transaction) throws(PersistenceError) in try transaction.removeAll() }
        try disk.sync()
        for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
            let bytes = try Data(contentsOf: file.folder.appending(path: name))
            #expect(bytes.range(of: Data("secret".utf8)) == nil && bytes.range(of: Data("id7".utf8)) == nil, "\(name)")
        }
    }

    /// So it is with records that go from rows in which others stay, and with their owners.
    @Test func whatWasRemovedFromRowsIsNowhere() throws {
        let disk = disk()
        _ = try disk.open()
        try put(
            Dictionary(
                uniqueKeysWithValues: (0..<500).flatMap { number in
                    let below = String(decoding: [DiskIdentity.key] + Array("below".utf8), as: UTF8.self)
                    return [
                        ("id\(number)", number % 3 == 0 ? "secret number \(number)" : "open"),
                        ("id\(number)\(below)", number % 2 == 0 ? "secret part \(number)" : "open"),
                    ]
                }), into: disk)
        try disk.moveLog()
        try disk.write { (transaction) throws(PersistenceError) in
            try transaction.removeRecords { bytes in bytes.starts(with: Array("secret".utf8)) }
        }
        try disk.sync()
        for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
            let bytes = try Data(contentsOf: file.folder.appending(path: name))
            #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
        #expect(try text("id1", in: disk) == "open" && text("id3", in: disk) == nil)
        // An owner of which nothing is left is no owner any more.
        #expect(try file.open().integer("SELECT count(*) FROM ids") == Int64((0..<500).count { $0 % 6 != 0 }))
    }

    @Test func aReadingThreadIsNotStoppedByAWriter() throws {
        let disk = disk { $0.wait = .seconds(5) }
        _ = try disk.open()
        try put(["1": "0", "2": "0"], into: disk)
        let mixed = Atomic(0)
        let isDone = Atomic(false)
        let group = DispatchGroup()
        for _ in 0..<3 {
            DispatchQueue.global().async(group: group) {
                while !isDone.load(ordering: .relaxed) {
                    let found = try? disk.read([DiskIdentity([49]), DiskIdentity([50])])
                    if found == nil || found?[0] != found?[1] { mixed.add(1, ordering: .relaxed) }
                }
            }
        }
        for round in 1...200 {
            try put(["1": "\(round)", "2": "\(round)"], into: disk)
            if round % 50 == 0 { try? disk.moveLog() }
        }
        isDone.store(true, ordering: .relaxed)
        group.wait()
        #expect(mixed.load(ordering: .relaxed) == 0)
        #expect(try text("1", in: disk) == "200")
    }
}
