import StoreModel
import Testing

@testable import Baton

/// A store over a file that cannot be opened yet.
@Suite struct StoreDiskOpeningTests {
    private let disk = MemoryDisk()
    private let locked = PersistenceError("the device is locked", .inputOutput)
    private let changed = #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":"New"}}}"#

    init() { disk.look { $0.now = 1_790_000_000_000 } }

    private func store() throws -> Store { try Store(disk: disk) }

    /// Fills the file as an earlier process.
    private func fill(_ change: (Store) throws -> Void = { _ in }) throws {
        let store = try store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try change(store)
        try store.writeToDisk()
        disk.runScheduled()
    }

    /// A store whose file is locked.
    private func waiting() throws -> Store {
        disk.look { $0.openFailure = locked }
        return try store()
    }

    private func unlock() { disk.look { $0.openFailure = nil } }

    @Test func whatTheFileHasIsLaidUnderWhatWasPublished() throws {
        try fill()
        let contents = disk.look { $0.contents.records }
        let store = try waiting()
        #expect(store.read(HeroQuery()).isMissingData)
        try store.write(changed, for: store.bind(HeroQuery()))
        disk.runScheduled()
        #expect(throws: locked) { try store.writeToDisk() }
        // Nothing is read or written, and nothing leaves the memory.
        store.collector.collectGarbage()
        #expect(store.read(HeroQuery()).data?.hero?.name == "New")
        #expect(store.read(HeroQuery()).data?.hero?.mass == nil)
        #expect(disk.look { $0.contents.records } == contents)
        #expect(disk.look { $0.reads } == 0)
        unlock()
        // The publish is tried again by itself.
        disk.runScheduled()
        #expect(!store.hasUnwritten)
        let after = try self.store()
        for store in [store, after] {
            #expect(!store.read(HeroQuery()).isMissingData)
            #expect(store.read(HeroQuery()).data?.hero?.name == "New")
            #expect(store.read(HeroQuery()).data?.hero?.mass == 32)
            #expect(store.checkInvariants() == [])
        }
    }

    /// Also where nothing was published.
    @Test func whatTheFileHasIsReadOnceItIsOpen() throws {
        try fill()
        let store = try waiting()
        #expect(store.read(HeroQuery()).isMissingData)
        unlock()
        try store.writeToDisk()
        #expect(!store.read(HeroQuery()).isMissingData)
        #expect(store.check(store.bind(HeroQuery())) == .available(fetchedAt: nil))
    }

    /// An invalidation of the run before holds for what the file has, and not for what is newer.
    @Test func whatIsPublishedMeanwhileIsNewer() throws {
        try fill { store in
            // Many publishes, so that the file's versions are far ahead of a store that begins anew.
            for number in 0..<200 { try store.update { try $0.create(DataID("\(number)x"), type: "Droid") } }
            try store.update { try $0.invalidateStore() }
        }
        let old = try waiting()
        unlock()
        try old.writeToDisk()
        #expect(old.check(old.bind(HeroQuery())) == .stale)
        let new = try waiting()
        let operation = new.bind(HeroQuery())
        let staged = try new.normalize(
            Array(HeroQuery.answer.utf8), for: operation, fetch: FetchMark(time: .zero, began: new.epoch))
        new.publish(staged, for: operation)
        unlock()
        try new.writeToDisk()
        #expect(new.check(operation).isAvailable)
        let after = try store()
        #expect(after.check(after.bind(HeroQuery())).isAvailable)
    }

    @Test func aResetMeanwhileEmptiesTheFile() throws {
        try fill()
        let store = try waiting()
        store.reset()
        unlock()
        try store.writeToDisk()
        #expect(store.read(HeroQuery()).isMissingData)
        #expect(disk.look { $0.contents.records.isEmpty })
    }

    @Test func localRecordsMadeMeanwhileAreTheirOwn() throws {
        var ids: [DataID] = []
        func note(in store: Store) throws {
            try store.update { ids.append(try $0.createLocal(type: "Note").dataID) }
            unlock()
            try store.writeToDisk()
        }
        for _ in 0..<2 {
            try note(in: store())
            try note(in: waiting())
        }
        #expect(Set(ids).count == 4)
        let store = try store()
        for id in ids { try store.update { #expect($0.get(id)?.typename == "Note") } }
    }

    /// The environment says why it works in memory, and a flush opens the file.
    @Test func aFlushOpensTheFile() async throws {
        struct Persistence: RelayEnvironment.Persistence {
            let disk: MemoryDisk

            func makeFile() -> RelayEnvironment.File { RelayEnvironment.File(disk) }
        }
        try fill()
        disk.look { $0.openFailure = locked }
        let events = Guarded<[String]>([])
        let environment = RelayEnvironment(
            network: SilentNetwork(), persistence: Persistence(disk: disk),
            log: { event in if case .persistence = event { events.withLock { $0.append("\(event)") } } })
        await #expect(throws: locked) { try await flush(environment) }
        #expect(events.withLock { $0.count } == 2)
        #expect(!environment.check(HeroQuery()).isAvailable)
        unlock()
        try await flush(environment)
        #expect(environment.check(HeroQuery()).isAvailable)
        #expect(events.withLock { $0.contains { $0.contains("was opened") } })
    }

    /// Flushes, on the thread that the file of the test has when it is told to.
    private func flush(_ environment: RelayEnvironment) async throws {
        let failure = Guarded<PersistenceError?>(nil)
        let flushing = Task {
            do throws(PersistenceError) { try await environment.flush() } catch { failure.withLock { $0 = error } }
        }
        while disk.look({ $0.scheduled.isEmpty }) { await Task.yield() }
        disk.runScheduled()
        await flushing.value
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private struct SilentNetwork: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
    }
}
