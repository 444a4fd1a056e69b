import StoreModel
import Testing

@testable import Baton

/// A store over a file: what is written, what a restart finds, and what is read when.
@Suite struct StoreDiskTests {
    private let disk = MemoryDisk()

    private func store(at time: Duration = .zero) throws -> Store { try Store(disk: disk, now: { time }) }

    private func filled() throws -> Store {
        let store = try store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.writeToDisk()
        return store
    }

    @Test func aRestartFindsWhatWasWritten() throws {
        let before = try filled()
        let expected = before.json(of: before.bind(HeroQuery()))
        let store = try store()
        #expect(store.records.rowCount == 0)
        let operation = store.bind(HeroQuery())
        #expect(store.check(operation) == .available(fetchedAt: nil))
        let read = store.read(HeroQuery())
        #expect(!read.isMissingData)
        #expect(read.data?.hero?.born == Day(year: 1977, month: 5))
        #expect(store.json(of: operation) == expected)
        #expect(store.checkInvariants() == [])
    }

    /// A screen costs one call for each level of its plan, and nothing once its data is in memory.
    @Test func aReadTakesOneCallForEachLevel() throws {
        _ = try filled()
        let store = try store()
        disk.look { $0.reads = 0 }
        #expect(store.check(store.bind(HeroQuery())) == .available(fetchedAt: nil))
        // The root, the hero, and the hero's friends with the ship.
        #expect(disk.look { $0.reads } == 3)
        #expect(!store.read(HeroQuery()).isMissingData)
        _ = store.check(store.bind(HeroQuery()))
        #expect(disk.look { $0.reads } == 3)
    }

    /// What the file does not have is asked for once.
    @Test func whatIsMissingIsAskedForOnce() throws {
        let store = try store()
        #expect(store.read(HeroQuery()).isMissingData)
        let reads = disk.look { $0.reads }
        #expect(store.read(HeroQuery()).isMissingData)
        #expect(disk.look { $0.reads } == reads)
    }

    @Test func aResponseIsMergedByFieldAndReadsNothing() throws {
        _ = try filled()
        let store = try store()
        disk.look { $0.reads = 0 }
        try store.write(
            #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":"New"}}}"#, for: store.bind(HeroQuery()))
        #expect(disk.look { $0.reads } == 0)
        #expect(store.read(HeroQuery()).data?.hero?.name == "New")
        #expect(store.read(HeroQuery()).data?.hero?.mass == 32)
        try store.writeToDisk()
        let again = try self.store()
        #expect(again.read(HeroQuery()).data?.hero?.name == "New")
        #expect(again.read(HeroQuery()).data?.hero?.mass == 32)
    }

    /// Another process has emptied the file, with the forms that this one has written.
    @Test func whatIsWrittenAfterOthersCanBeRead() throws {
        let store = try filled()
        try store.update { try $0.get("2001")?.setValue("First", forField: "name") }
        try store.writeToDisk()
        disk.look { state in
            (state.contents.records, state.contents.forms, state.contents.notes) = ([:], [:], [:])
            state.isAfterOthers = true
        }
        try store.update { try $0.get("2001")?.setValue("Second", forField: "name") }
        try store.writeToDisk()
        let (records, forms) = disk.look { ($0.contents.records, $0.contents.forms) }
        let used = records.values.compactMap { bytes -> UInt64? in
            var reader = DiskReader(bytes)
            return reader.byte() == DiskRecord.Kind.shared.rawValue ? reader.fixed() : nil
        }
        #expect(!used.isEmpty)
        #expect(Set(used).isSubset(of: forms.keys))
    }

    /// A publish is written soon after it, in one transaction with those that came meanwhile.
    @Test func publishesAreWrittenTogether() throws {
        let store = try store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.update { try $0.get("2001")?.setValue("Second", forField: "name") }
        #expect(disk.look { $0.scheduled.count } == 1)
        #expect(disk.look { $0.writes } == 0)
        disk.runScheduled()
        #expect(disk.look { $0.writes } == 1)
        #expect(!store.hasUnwritten)
        #expect(try self.store().read(HeroQuery()).data?.hero?.name == "Second")
    }

    @Test func whatCannotBeWrittenStaysAndIsTriedAgain() throws {
        let store = try store()
        disk.look { $0.writeFailure = PersistenceError("the disk is full") }
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        #expect(throws: PersistenceError("the disk is full")) { try store.writeToDisk() }
        // Nothing of it leaves the memory.
        store.collector.collectGarbage()
        #expect(store.read(HeroQuery()).data?.hero?.name == "R2-D2")
        disk.look { $0.writeFailure = nil }
        disk.runScheduled()
        #expect(!store.hasUnwritten)
        #expect(try self.store().read(HeroQuery()).data?.hero?.name == "R2-D2")
    }

    @Test func whatACollectionTakesIsReadAgain() throws {
        let store = try filled()
        store.collector.collectGarbage()
        #expect(store.records.rowCount < 4)
        #expect(store.read(HeroQuery()).data?.hero?.friends?.map { $0?.name } == ["Luke", nil, "R2-D2"])
    }

    @Test func aFileThatCannotBeReadLeavesDataMissing() throws {
        _ = try filled()
        let store = try store()
        disk.look { $0.readFailure = PersistenceError("an error of the device") }
        #expect(store.read(HeroQuery()).isMissingData)
        #expect(store.queue.disk?.reports.last == PersistenceError("an error of the device"))
        disk.look { $0.readFailure = nil }
        #expect(!store.read(HeroQuery()).isMissingData)
    }

    // MARK: - What must not come back

    @Test func aResetEndsWhatTheFileHasAlsoBeforeItIsWritten() throws {
        _ = try filled()
        let store = try store()
        #expect(!store.read(HeroQuery()).isMissingData)
        store.reset()
        #expect(store.read(HeroQuery()).isMissingData)
        store.collector.collectGarbage()
        #expect(store.read(HeroQuery()).isMissingData)
        // A number that was freed belongs to a record of which nothing is known.
        try store.update { #expect($0.get("2001") == nil) }
        try store.writeToDisk()
        #expect(disk.look { $0.contents.records.isEmpty })
        #expect(try self.store().read(HeroQuery()).isMissingData)
    }

    /// Also under a number that no record had before.
    @Test func whatLeavesTheMemoryAfterAResetIsReadAgain() throws {
        let store = try filled()
        store.reset()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.writeToDisk()
        store.collector.collectGarbage()
        try store.update { source in
            for number in 0..<1000 { try source.create(DataID("new\(number)"), type: "Droid") }
        }
        #expect(store.soughtRecord("1000").map { store.records.state(of: $0) } == .existing)
    }

    @Test func aDeletionReachesARecordThatOnlyTheFileHas() throws {
        _ = try filled()
        let store = try store()
        try store.update { try $0.delete("1000") }
        #expect(store.read(HeroQuery()).data?.hero?.friends?.first == .some(nil))
        try store.writeToDisk()
        #expect(try self.store().read(HeroQuery()).data?.hero?.friends?.first == .some(nil))
    }

    @Test func aRecordThatIsMadeAnewHasNothingOfTheFile() throws {
        _ = try filled()
        let store = try store()
        // The update does not come to know what it replaces.
        disk.look { $0.readFailure = PersistenceError("an error of the device") }
        try store.update { source in
            try source.delete("2001")
            try source.create("2001", type: "Droid").setValue("Other", forField: "name")
        }
        disk.look { $0.readFailure = nil }
        #expect(store.read(HeroQuery()).data?.hero?.name == "Other")
        #expect(store.read(HeroQuery()).data?.hero?.mass == nil)
        try store.writeToDisk()
        #expect(try self.store().read(HeroQuery()).data?.hero?.mass == nil)
    }

    @Test func anInvalidationReachesARecordThatOnlyTheFileHas() throws {
        _ = try filled()
        let store = try store()
        #expect(store.invalidate("1000") != nil)
        #expect(store.check(store.bind(HeroQuery())) == .stale)
        try store.writeToDisk()
        let again = try self.store()
        #expect(again.check(again.bind(HeroQuery())) == .stale)
    }

    @Test func whatAnOptimisticLayerShowsIsNotWritten() throws {
        let store = try filled()
        let layer = store.apply({ try $0.get("2001")?.setValue("Soon", forField: "name") })
        let operation = store.bind(HeroQuery())
        let staged = try store.normalize(
            Array(HeroQuery.answer.utf8), for: operation, fetch: FetchMark(time: .zero, began: store.epoch))
        store.publish(staged, for: operation)
        try store.update { try $0.get("1000")?.setValue("Luke S.", forField: "name") }
        try store.writeToDisk()
        #expect(store.read(HeroQuery()).data?.hero?.name == "Soon")
        let again = try self.store()
        #expect(again.read(HeroQuery()).data?.hero?.name == "R2-D2")
        #expect(again.read(HeroQuery()).data?.hero?.friends?.first??.name == "Luke S.")
        store.drop(layer)
        try store.writeToDisk()
        #expect(try self.store().read(HeroQuery()).data?.hero?.name == "R2-D2")
    }

    // MARK: - Updates and readers

    @Test func anUpdateReadsTheFileAtTheMomentItAsks() throws {
        _ = try filled()
        let store = try store()
        var runs = 0
        _ = try store.update { source in
            runs += 1
            let hero = source.root.linkedRecord(forField: "hero", arguments: ["episode": "JEDI"])
            try hero?.setValue(.string((hero?.value(forField: "name")?.stringValue ?? "") + "!"), forField: "name")
        }
        #expect(runs == 1)
        #expect(store.read(HeroQuery()).data?.hero?.name == "R2-D2!")
    }

    @Test func whatComesFromTheFileNotifiesNobody() throws {
        _ = try filled()
        let store = try store()
        let subscriber = CountingSubscriber()
        _ = store.subscribe(subscriber, to: store.read(HeroQuery()).dependencies)
        store.readFromDisk(["1000", "2001"])
        #expect(subscriber.count == 0)
        try store.update { try $0.get("1000")?.setValue("Luke S.", forField: "name") }
        #expect(subscriber.count == 1)
    }

    @Test func localRecordsOfTwoRunsAreTwo() throws {
        var ids: [DataID] = []
        for run in 0..<3 {
            let store = try store()
            try store.update { source in
                let record = try source.createLocal(type: "Note")
                try record.setValue(.int(run), forField: "run")
                ids.append(record.dataID)
            }
            try store.writeToDisk()
        }
        #expect(Set(ids).count == 3)
        let store = try store()
        for (run, id) in ids.enumerated() {
            try store.update { #expect($0.get(id)?.value(forField: "run") == .int(run)) }
        }
    }

    // MARK: - Ages

    /// Times are those of the world outside, so an age counts the time in which nothing ran.
    @Test func anAgeCountsTheTimeBetweenTwoRuns() throws {
        let first = try store(at: .seconds(10))
        let operation = first.bind(HeroQuery())
        let staged = try first.normalize(
            Array(HeroQuery.answer.utf8), for: operation, fetch: FetchMark(time: .seconds(10), began: first.epoch))
        first.publish(staged, for: operation)
        try first.writeToDisk()
        disk.look { $0.now += 3_600_000 }
        let store = try store(at: .zero)
        guard case .available(let time?) = store.check(store.bind(HeroQuery()), at: .zero) else {
            Issue.record("the data has no age")
            return
        }
        #expect(time == .seconds(-3_600))
    }

    @Test func aTimeToComeCountsAsLongAgo() throws {
        disk.look { $0.now = 5_000_000 }
        let first = try store()
        let operation = first.bind(HeroQuery())
        let staged = try first.normalize(
            Array(HeroQuery.answer.utf8), for: operation, fetch: FetchMark(time: .seconds(1), began: first.epoch))
        first.publish(staged, for: operation)
        try first.writeToDisk()
        disk.look { $0.now = 0 }
        let store = try store()
        guard case .available(let time?) = store.check(store.bind(HeroQuery())) else {
            Issue.record("the data has no age")
            return
        }
        #expect(time < .seconds(-86_400 * 365))
    }

    // MARK: - Damage

    @Test func aDamagedRecordIsMissingAndNoted() throws {
        _ = try filled()
        disk.look { state in for id in state.contents.records.keys { state.contents.records[id] = [9] } }
        let store = try store()
        #expect(store.read(HeroQuery()).isMissingData)
        #expect(store.queue.disk?.reports.last == PersistenceError("a record is damaged: client:root", .damaged))
    }

    /// No bytes of a file may end the process, and one damaged record is missing and no more.
    @Test func damagedRecordsAreMissing() throws {
        _ = try filled()
        let whole = disk.look { $0.contents }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            disk.look { state in
                state.contents = whole
                guard let (id, bytes) = state.contents.records.randomElement(using: &generator), !bytes.isEmpty else {
                    return
                }
                var damaged = bytes
                switch UInt8.random(in: 0...2, using: &generator) {
                case 0: damaged.removeLast(Int.random(in: 1...damaged.count, using: &generator))
                case 1: damaged[damaged.indices.randomElement(using: &generator) ?? 0] = .random(in: 0...255)
                default: damaged += (0..<9).map { _ in UInt8.random(in: 0...255) }
                }
                state.contents.records[id] = damaged
            }
            let store = try store()
            _ = store.read(HeroQuery())
            _ = store.check(store.bind(HeroQuery()))
            #expect(store.checkInvariants() == [])
        }
    }
}
