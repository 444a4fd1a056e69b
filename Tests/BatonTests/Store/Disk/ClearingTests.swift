import StoreModel
import Testing

@testable import Baton

/// What is cleared is gone from the file at once, whatever the writer does, and memory stays as it is.
@Suite struct ClearingTests {
    private let disk = MemoryDisk()
    private let query = Films.FilmQuery(id: "1")

    private func store() throws -> Store { try Store(disk: disk) }

    /// Fills the file as an earlier process, and returns the store of the next one.
    private func filled() throws -> Store {
        let store = try store()
        try store.write(Films.film("1", "one"), for: store.bind(query))
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.writeToDisk()
        return try self.store()
    }

    private func has(_ text: String) -> Bool {
        disk.look { $0.contents.records.values.contains { String(decoding: $0, as: UTF8.self).contains(text) } }
    }

    private enum What: CaseIterable { case all, type }

    private func clear(_ what: What, in store: Store) { store.clearDisk(what == .all ? nil : "Film") }

    @Test(arguments: What.allCases) private func nothingOfItIsReadAnyMore(_ what: What) throws {
        let store = try filled()
        disk.setWriteFailure(PersistenceError("the disk is full", .full))
        clear(what, in: store)
        #expect(throws: PersistenceError.self) { try store.writeToDisk() }
        #expect(store.read(query).data?.film == nil && store.read(query).isMissingData)
        #expect(store.read(HeroQuery()).isMissingData == (what == .all))
        disk.setWriteFailure(nil)
        try store.writeToDisk()
        #expect(!has("one"))
        #expect(has("X-Wing") == (what == .type))
        let after = try self.store()
        #expect(after.read(query).isMissingData)
        #expect(after.read(HeroQuery()).isMissingData == (what == .all))
        #expect(store.checkInvariants() == [])
    }

    /// What was published before is not written later, and what is published afterwards is.
    @Test(arguments: What.allCases) private func theOrderOfPublishesCounts(_ what: What) throws {
        let store = try filled()
        try store.write(Films.film("1", "two"), for: store.bind(query))
        try store.write(Films.film("2", "other"), for: store.bind(Films.FilmQuery(id: "2")))
        clear(what, in: store)
        try store.update { try $0.get("2")?.setValue("later", forField: "title") }
        // Memory has all of it.
        #expect(store.read(query).data?.film?.title == "two")
        try store.writeToDisk()
        #expect(!has("one") && !has("two") && !has("other") && has("later"))
        #expect(store.read(query).data?.film?.title == "two")
        #expect(store.read(Films.FilmQuery(id: "2")).data?.film?.title == "later")
        let after = try self.store()
        try after.update { records in
            #expect(records.get("1") == nil)
            #expect(records.get("2")?.value(forField: "title") == "later")
            #expect(records.get("2")?.value(forField: "rating") == nil)
        }
    }

    /// A read that began before does not bring back what it has read.
    @Test(arguments: What.allCases) private func aReadUnderWayBringsNothingBack(_ what: What) throws {
        let store = try filled()
        // What leads to the film is in memory.
        store.readFromDisk([.root])
        disk.whileReading { [self] in clear(what, in: store) }
        #expect(store.read(query).isMissingData)
        #expect(store.read(query).data?.film == nil)
        #expect(store.checkInvariants() == [])
    }

    /// A batch that is being written may still have it. Then it goes with the next one.
    @Test(arguments: What.allCases) private func aBatchUnderWayIsRemovedAfterwards(_ what: What) throws {
        let store = try filled()
        try store.write(Films.film("1", "two"), for: store.bind(query))
        disk.whileWriting { [self] in clear(what, in: store) }
        try store.writeToDisk()
        #expect(has("two"))
        #expect(store.hasUnwritten)
        try store.writeToDisk()
        #expect(!has("two") && !has("one"))
    }

    /// Nor is such a batch written again if it fails.
    @Test(arguments: What.allCases) private func aBatchUnderWayThatFailsIsNotWrittenAgain(_ what: What) throws {
        let store = try filled()
        try store.write(Films.film("1", "two"), for: store.bind(query))
        disk.whileWriting { [self] in
            clear(what, in: store)
            disk.setWriteFailure(PersistenceError("the disk is full", .full))
        }
        #expect(throws: PersistenceError.self) { try store.writeToDisk() }
        disk.setWriteFailure(nil)
        try store.writeToDisk()
        #expect(!has("one") && !has("two") && !store.hasUnwritten)
        #expect(store.read(query).data?.film?.title == "two")
    }

    /// The changes of a batch that is gathered in several turns are those of before, too.
    @Test(arguments: What.allCases) private func aBatchThatIsHalfGatheredLosesIt(_ what: What) throws {
        let store = try store()
        let disk = try #require(store.queue.disk)
        try store.update { records in
            for number in 0..<300 {
                try records.create("film\(number)", type: "Film").setValue(.string("text"), forField: "title")
            }
        }
        var batch = DiskBatch(disk)
        #expect(store.queue.inTurn { !$0.gather(&batch, 100) })
        clear(what, in: store)
        while !store.queue.inTurn({ $0.gather(&batch, 100) }) {}
        try batch.write()
        store.queue.inTurn { $0.endBatch(batch, isWritten: true) }
        #expect(!has("text"))
        #expect(!store.hasUnwritten)
    }

    /// What is stale is no data.
    @Test func anInvalidationOfTheStoreStays() throws {
        let store = try filled()
        try store.update { try $0.invalidateStore() }
        try store.writeToDisk()
        let before = disk.look { $0.contents.notes[.invalidations] }
        store.clearDisk()
        try store.writeToDisk()
        #expect(before != nil && disk.look { $0.contents.notes[.invalidations] } == before)
        #expect(disk.look { $0.contents.records.isEmpty })
    }

    @Test func withoutAFileNothingHappens() throws {
        let store = Store()
        try store.write(Films.film("1", "one"), for: store.bind(query))
        for what in What.allCases { clear(what, in: store) }
        #expect(store.read(query).data?.film?.title == "one")
    }
}
