import StoreModel
import Testing

@testable import Baton

/// An environment whose file is suspended: who needs the file waits, and what is published is written later.
@Suite(.timeLimit(.minutes(20))) struct SuspensionTests {
    typealias FilmHandle = QueryHandle<Films.FilmQuery>

    private let disk = MemoryDisk()
    private let network = ScriptedNetwork()
    private let query = Films.FilmQuery(id: "1")

    private struct Persistence: RelayEnvironment.Persistence {
        let disk: MemoryDisk

        func makeFile() -> RelayEnvironment.File { RelayEnvironment.File(disk) }
    }

    private func environment() -> RelayEnvironment {
        RelayEnvironment(network: network, persistence: Persistence(disk: disk), log: { _ in })
    }

    /// Fills the file as an earlier process, and returns an environment of the next one.
    private func filled() throws -> RelayEnvironment {
        let store = environment().store
        try store.write(Films.film("1", "one"), for: store.bind(query))
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.writeToDisk()
        disk.runScheduled()
        return environment()
    }

    private func resume(_ environment: RelayEnvironment) async {
        environment.resume()
        disk.runScheduled()
        await settle(environment)
    }

    /// Waits until every request waits for the test, and no delivery is under way.
    private func settle(_ environment: RelayEnvironment) async {
        while true {
            let counts = environment.activity.counts
            if counts.deliveries == 0, counts.collections == 0, counts.requests == network.waiting,
                environment.activity.counts.revision == counts.revision
            {
                return
            }
            await Task.yield()
        }
    }

    private func title(_ result: QueryResult<Films.FilmQuery.Data>) -> String? { result.data?.film?.title }

    // MARK: - Those who wait

    @Test(arguments: [FetchPolicy.storeOrNetwork, .storeAndNetwork], [nil, 0])
    func aQueryWaitsForTheFile(_ policy: FetchPolicy, _ key: Int?) async throws {
        let environment = try filled()
        environment.suspend()
        let reads = disk.look { $0.reads }
        let handle = FilmHandle(in: environment, fetchPolicy: policy)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.film?.title ?? "-") }
        #expect(handle.get(id: "1", fetchKey: key).isLoading)
        await settle(environment)
        #expect(handle.get(id: "1", fetchKey: key).isLoading && !handle.isMissingData)
        #expect(network.sent.isEmpty)
        #expect(disk.look { $0.reads } == reads)
        await resume(environment)
        #expect(title(handle.get(id: "1", fetchKey: key)) == "one")
        #expect(network.sent.count == (policy == .storeAndNetwork ? 1 : 0))
        #expect(handle.isFetching == (policy == .storeAndNetwork))
        network.answer(Films.film("1", "two"))
        await settle(environment)
        #expect(title(handle.get(id: "1", fetchKey: key)) == (policy == .storeAndNetwork ? "two" : "one"))
        #expect(await screen.rows == (policy == .storeAndNetwork ? ["-", "one", "two"] : ["-", "one"]))
    }

    @Test(arguments: [FetchPolicy.networkOnly, .networkOrStore])
    func aQueryThatNeedsNoFileIsSent(_ policy: FetchPolicy) async throws {
        let environment = try filled()
        environment.suspend()
        let handle = FilmHandle(in: environment, fetchPolicy: policy)
        _ = handle.get(id: "1")
        await settle(environment)
        #expect(network.waiting == 1)
        network.answer(Films.film("1", "two"))
        await settle(environment)
        #expect(title(handle.get(id: "1")) == "two")
        // So is a refetch under each policy.
        let other = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(title(other.get(id: "1")) == "two")
        other.refetch()
        await settle(environment)
        #expect(network.waiting == 1)
    }

    /// What memory has is shown, and nothing waits for what the file cannot have.
    @Test func whatIsInMemoryNeedsNoFile() async throws {
        let environment = try filled()
        let before = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(title(before.get(id: "1")) == "one")
        environment.suspend()
        #expect(title(FilmHandle(in: environment, fetchPolicy: .storeOrNetwork).get(id: "1")) == "one")
        #expect(title(before.get(id: "1")) == "one")
        let other = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(other.get(id: "2").isLoading)
        // The root is in memory as a whole, so the file has no film 2.
        await settle(environment)
        #expect(network.waiting == 1)
    }

    @Test func whatTheFileLacksIsFetchedAfterwards() async throws {
        let environment = try filled()
        environment.suspend()
        let handle = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(id: "2").isLoading)
        await settle(environment)
        #expect(network.sent.isEmpty)
        await resume(environment)
        #expect(network.waiting == 1)
        #expect(handle.get(id: "2").isLoading)
        network.answer(Films.film("2", "two"))
        await settle(environment)
        #expect(title(handle.get(id: "2")) == "two")
    }

    @Test func aQueryOfTheStoreAloneIsLoadingMeanwhile() async throws {
        let environment = try filled()
        environment.suspend()
        let handle = FilmHandle(in: environment, fetchPolicy: .storeOnly)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(row: result.data?.film?.title ?? "-") }
        #expect(handle.get(id: "1").isLoading)
        await settle(environment)
        await resume(environment)
        #expect(title(handle.get(id: "1")) == "one")
        await settle(environment)
        #expect(await screen.rows == ["-", "one"])
    }

    @Test func aFragmentIsLoadingMeanwhile() async throws {
        let environment = try filled()
        let handle = QueryHandle<HeroQuery>(in: environment, fetchPolicy: .storeOnly)
        let reference = try #require(handle.get(HeroQuery().variables).data?.hero?.pilotShip)
        environment.suspend()
        let ship = FragmentHandle<PilotShip>(reference, in: environment)
        let screen = Screen()
        ship.observe(on: screen) { screen, result in screen.note(row: result.data?.ship?.title ?? "-") }
        #expect(ship.get().isLoading)
        await settle(environment)
        await resume(environment)
        #expect(ship.get().data?.ship?.title == "X-Wing")
        await settle(environment)
        #expect(await screen.rows == ["-", "X-Wing"])
        #expect(network.sent.isEmpty)
    }

    @Test func aPreloadAndAPrefetchWait() async throws {
        let environment = try filled()
        environment.suspend()
        let preload = environment.preload(query)
        let prefetch = Task { try await environment.prefetch(query) }
        #expect(preload.isFetching)
        for _ in 0..<100 { await Task.yield() }
        #expect(network.sent.isEmpty)
        await resume(environment)
        _ = try await prefetch.value
        #expect(!preload.isFetching)
        #expect(network.sent.isEmpty)
    }

    /// Who has gone asks for nothing later.
    @Test func whoHasGoneSendsNothingAfterwards() async throws {
        let environment = try filled()
        environment.suspend()
        do {
            let handle = FilmHandle(in: environment, fetchPolicy: .storeAndNetwork)
            _ = handle.get(id: "1")
            handle.cancel()
            _ = FilmHandle(in: environment, fetchPolicy: .storeAndNetwork).get(id: "1")
        }
        await resume(environment)
        #expect(network.sent.isEmpty)
    }

    /// What was let go is not kept for the end of a suspension that never comes.
    @Test func whoHasGoneIsNotKept() async throws {
        weak var store: Store?
        do {
            let environment = try filled()
            store = environment.store
            environment.suspend()
            let handle = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
            _ = handle.get(id: "1")
            let preload = environment.preload(Films.FilmQuery(id: "2"))
            #expect(preload.isFetching)
            await settle(environment)
        }
        disk.runScheduled()
        #expect(store == nil)
    }

    // MARK: - Writing

    @Test func whatIsPublishedIsWrittenAfterwards() async throws {
        let environment = try filled()
        environment.suspend()
        let contents = disk.look { $0.contents.records }
        try environment.store.write(Films.film("1", "two"), for: environment.store.bind(query))
        try environment.store.write(Films.film("2", "other"), for: environment.store.bind(Films.FilmQuery(id: "2")))
        disk.runScheduled()
        environment.store.collector.collectGarbage()
        await #expect(throws: PersistenceError.suspended) { try await environment.flush() }
        #expect(disk.look { $0.contents.records } == contents)
        #expect(environment.store.hasUnwritten)
        await resume(environment)
        #expect(!environment.store.hasUnwritten)
        #expect(environment.store.checkInvariants() == [])
        let after = self.environment()
        for (id, title) in [("1", "two"), ("2", "other")] {
            let handle = FilmHandle(in: after, fetchPolicy: .storeOnly)
            #expect(self.title(handle.get(id: id)) == title)
        }
    }

    /// Another process has emptied the file, with the forms that this one has written.
    @Test func theFileMayBeAnotherOneAfterwards() async throws {
        let environment = try filled()
        func note(_ id: DataID) throws {
            try environment.update { records in
                try records.create(id, type: "Note").setValue(.string("text of \(id)"), forField: "text")
            }
        }
        try note("n1")
        try environment.store.writeToDisk()
        environment.suspend()
        disk.look { state in
            (state.contents.records, state.contents.forms, state.contents.notes) = ([:], [:], [:])
        }
        try note("n2")
        await resume(environment)
        let records = disk.look { $0.contents.records.count }
        let after = self.environment()
        try after.update { store in #expect(store.get("n2")?.value(forField: "text") == "text of n2") }
        #expect(records > 0 && after.store.queue.disk?.reports.last == nil)
    }

    // MARK: - Ends of suspensions

    @Test func anEmptiedStoreLearnsNothingOfItsFile() throws {
        let store = try filled().store
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        #expect(!store.typeFacts.isEmpty)
        store.suspend()
        store.reset()
        #expect(store.typeFacts.isEmpty)
        store.resume()
        disk.runScheduled()
        #expect(store.typeFacts.isEmpty)
        #expect(environment().store.typeFacts.isEmpty)
    }

    @Test func aSecondSuspensionHoldsWhenTheFirstOneEnds() async throws {
        let environment = try filled()
        environment.suspend()
        let handle = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get(id: "1")
        environment.resume()
        environment.suspend()
        // The end of the first one comes late.
        disk.runScheduled()
        await settle(environment)
        #expect(handle.get(id: "1").isLoading)
        #expect(network.sent.isEmpty)
        await resume(environment)
        #expect(title(handle.get(id: "1")) == "one")
        // There is nothing to resume, and nothing happens.
        await resume(environment)
        #expect(network.sent.isEmpty)
    }

    /// The store then is one whose file cannot be opened yet.
    @Test func whoWaitsGetsWhatMemoryHasIfTheFileCannotBeOpened() async throws {
        let environment = try filled()
        environment.suspend()
        let handle = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get(id: "1")
        disk.look { $0.openFailure = PersistenceError("the device is locked", .inputOutput) }
        await resume(environment)
        #expect(network.waiting == 1)
        disk.look { $0.openFailure = nil }
        try environment.store.writeToDisk()
        #expect(environment.check(query).isAvailable)
    }

    @Test func withoutAFileNothingHappens() async throws {
        let environment = RelayEnvironment(network: network)
        environment.suspend()
        let handle = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get(id: "1")
        await settle(environment)
        #expect(network.waiting == 1)
        environment.resume()
        try await environment.flush()
    }
}
