import Baton
import BatonSQLiteLibrary
import Foundation
import Testing

@testable import BatonSQLite

/// What a file never gets is in none of the files beside it either.
@Suite(.needsSQLite) struct SQLiteUnstoredTests {
    private typealias UnstoredData = RelayEnvironment.UnstoredData

    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    private func store(_ unstored: UnstoredData) throws -> (store: Store, disk: SQLiteDisk) {
        var options = SQLiteDiskOptions(path: file.path)
        options.unstored = unstored
        let disk = SQLiteDisk(options)
        return (try Store(disk: disk), disk)
    }

    private func fill(_ store: Store, _ count: Int) throws {
        try store.update { source in
            for number in 0..<count {
                let user =
                    try source.get(DataID("user-\(number)")) ?? source.create(DataID("user-\(number)"), type: "User")
                try user.setValue(.string("name \(number)"), forField: "name")
                try user.setValue(.string("secret mail \(number)"), forField: "email")
                let card =
                    try source.get(DataID("hidden-\(number)"))
                    ?? source.create(DataID("hidden-\(number)"), type: "Card")
                try card.setValue(.string("secret number \(number)"), forField: "number")
                try user.setLinkedRecord(card, forField: "card")
                try user.setLinkedRecords([card, user], forField: "things")
            }
        }
    }

    private func files(with text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter { name in
            try Data(contentsOf: file.folder.appending(path: name)).range(of: Data(text.utf8)) != nil
        }
    }

    private let hidden = UnstoredData(types: ["Card"], fields: ["User.email"])

    @Test func aSearchOfTheBytesFindsNothing() throws {
        for _ in 0..<2 {
            let (store, disk) = try store(hidden)
            try fill(store, 200)
            try store.writeToDisk()
            #expect(try files(with: "secret") == [] && files(with: "hidden") == [])
            #expect(try !files(with: "name 7").isEmpty)
            try disk.sync()
            disk.close()
            #expect(try files(with: "secret") == [] && files(with: "hidden") == [])
        }
        let (store, _) = try store(hidden)
        try store.update { source in
            let user = try #require(source.get("user-7"))
            #expect(user.value(forField: "name") == .string("name 7"))
            #expect(user.value(forField: "email") == nil)
            #expect(user.linkedRecord(forField: "card") == nil)
            // A shorter list would look complete.
            #expect(user.linkedRecords(forField: "things") == nil)
        }
    }

    /// What an earlier version of an app has stored is gone with the first opening that names it.
    @Test func aFileWithAnotherListIsEmptied() throws {
        let (first, before) = try store(UnstoredData())
        try fill(first, 200)
        try first.writeToDisk()
        try before.sync()
        before.close()
        #expect(try !files(with: "secret").isEmpty)
        let (second, disk) = try store(hidden)
        // The opening alone does it: a process may end before it writes anything.
        #expect(try files(with: "secret") == [] && files(with: "user-7") == [])
        try second.update { source in #expect(source.get("user-7") == nil) }
        try fill(second, 3)
        try second.writeToDisk()
        disk.close()
        // The same list again empties nothing.
        let (third, _) = try store(hidden)
        try third.update { source in #expect(source.get("user-2") != nil) }
    }

    @Test func aWrongNameIsToldAndTheFileIsNotOpened() {
        #expect(throws: PersistenceError.self) { try store(UnstoredData(fields: ["email"])) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// A process of an older version of the app may have the file open.
    @Test func aProcessWithAnotherListWritesNothingMore() throws {
        let (old, disk) = try store(UnstoredData())
        try fill(old, 3)
        try old.writeToDisk()
        let (new, other) = try store(hidden)
        try fill(new, 3)
        try new.writeToDisk()
        try old.update { source in try source.get("user-1")?.setValue(.string("secret again"), forField: "email") }
        #expect(throws: PersistenceError.self) { try old.writeToDisk() }
        disk.close()
        other.close()
        #expect(try files(with: "secret") == [] && !files(with: "name 1").isEmpty)
    }
}
