import Testing

@testable import Baton

/// The holders that keep data in an environment, and the collection of all other data.
@Suite(.timeLimit(.minutes(20))) struct CollectionTests {
    private func isThere(_ id: DataID, in environment: RelayEnvironment) -> Bool { environment.records[id] != nil }

    @Test func whatNobodyHoldsGoesWhenTheBufferIsFull() async throws {
        let stage = Stage(releaseBufferSize: 1)
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Alien"))
        #expect(stage.environment.collectGarbage() == 0, "it is in the release buffer")
        try await stage.seed(Films.FilmQuery(id: "2"), Films.film("2", "Brazil"))
        await stage.settle()
        #expect(!isThere("1", in: stage.environment), "the overflow of the buffer has started a collection")
        #expect(isThere("2", in: stage.environment))
        #expect((try? await stage.environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly)) == nil)
        #expect((try? await stage.environment.fetch(Films.FilmQuery(id: "2"), policy: .storeOnly)) != nil)
        let collected = stage.log.events.compactMap { if case .collected(let event) = $0 { event } else { nil } }
        #expect(collected.last?.cause == .release)
        #expect(collected.map(\.recordsCollected).reduce(0, +) >= 1)
        #expect(collected.map(\.fieldsDropped).reduce(0, +) == 1, "the root has no film(id: 1) any more")
    }

    @Test func whatIsRetainedStays() async throws {
        let stage = Stage(releaseBufferSize: 0)
        let retention = stage.environment.retain(Films.FilmQuery(id: "1"))
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Alien"))
        stage.environment.collectGarbage()
        #expect(isThere("1", in: stage.environment))
        retention.release()
        retention.release()
        await stage.settle()
        #expect(!isThere("1", in: stage.environment))
    }

    @Test func whatADeferredFragmentSelectsStays() throws {
        let store = Store()
        let operation = store.bind(Parts.PartsQuery())
        try store.write(
            #"{"data":{"user":null,"tags":[],"profile":{"a":1,"b":2,"inner":{"c":3}}}}"#, for: operation)
        store.operations.retain(operation)
        let before = store.dump()
        _ = store.collector.collectGarbage()
        #expect(store.dump() == before)
        store.operations.releaseWithoutBuffer(operation)
        _ = store.collector.collectGarbage()
        #expect(store.dump() != before)
    }

    @Test func whatIsRetainedAsItIsBoundStaysInARunningCollection() throws {
        let store = Store()
        try store.write(Films.film("1", "Alien"), for: store.bind(Films.FilmQuery(id: "1")))
        store.collector.begin(.release)
        let slice = CollectionWork(marking: 1, looking: 1, sweeping: 1, vacating: 1)
        // The roots of the collection are taken here.
        _ = store.collector.collectSlice(slice)
        let retained = store.bind(Films.FilmQuery(id: "1"), retaining: true)
        while case .more = store.collector.collectSlice(slice) {}
        #expect(store.record("1").map { store.records.state(of: $0) } == .existing)
        store.operations.releaseWithoutBuffer(retained)
        _ = store.collector.collectGarbage()
        #expect(store.record("1").map { store.records.state(of: $0) } != .existing, "nothing else keeps it")
    }

    /// In Relay a shown fragment can lose its data when the query that fetched it is released.
    @Test func aMountedFragmentKeepsItsDataAlthoughItsOperationIsReleased() async throws {
        let stage = Stage(releaseBufferSize: 0)
        let environment = stage.environment
        var query: QueryHandle<Films.FilmQuery>? = QueryHandle(in: environment, fetchPolicy: .storeAndNetwork)
        _ = query?.get(id: "1")
        await stage.answer(Films.film("1", "Alien"))
        let reference = try #require(query?.result.data?.film?.row)
        let row = FragmentHandle(reference, in: environment)
        let shown = row.get()
        query = nil
        environment.collectGarbage()
        #expect(row.get() == shown)
        #expect(!row.isMissingData)
        // The data also stays if nothing retains the operation.
        let owner = try #require(environment.store.bind(reference)).owner
        environment.operations.release(owner)
        await stage.settle()
        #expect(environment.store.operations.holderCount(of: owner) == 0)
        environment.collectGarbage()
        #expect(isThere("1", in: environment), "the handle has read it")
        try environment.update { try $0.get("1")?.setValue(.string("Aliens"), forField: "title") }
        #expect(row.get() != shown, "it still hears of changes")
        #expect(!row.isMissingData)
    }

    @Test func deletedRecordsAreNoTrap() throws {
        let store = Store()
        let operation = store.bind(Films.ListQuery())
        store.operations.retain(operation)
        try store.write(Films.list(3), for: operation)
        try store.update { try $0.delete("2") }
        #expect(store.check(operation).isAvailable)
        _ = store.collector.collectGarbage()
        // The deleted record stays known as long as something links to it.
        #expect(store.check(operation).isAvailable)
        let record = try #require(store.record("2"))
        #expect(store.records.state(of: record) == .deleted)
        let count = store.records.rowCount
        try store.write(Films.list(1), for: operation)
        _ = store.collector.collectGarbage()
        #expect(store.records.rowCount < count)
        // After that the record is forgotten, and a later response brings it back.
        #expect(store.records.known.allSatisfy { store.names.dataID(of: $0) != "2" })
        try store.write(Films.list(3), for: operation)
        #expect(store.check(operation).isAvailable)
        #expect(store.read(Films.ListQuery()).data?.films.count == 3)
    }

    @Test func theRootFieldsOfMutationsGo() async throws {
        let stage = Stage(releaseBufferSize: 0)
        let films = stage.environment.retain(Films.FilmQuery(id: "1"))
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Alien"))
        stage.environment.collectGarbage()
        let count = stage.environment.store.records.rowCount
        for _ in 0..<(CollectionTriggers.endedCallsLimit * 3) {
            let operation = stage.environment.store.bind(Films.TitleQuery.artifact.asMutation, variables: .object([]))
            stage.environment.operations.retain(operation)
            try stage.environment.store.write(Films.film("1", "Alien"), for: operation)
            stage.environment.operations.release(operation)
        }
        await stage.settle()
        #expect(stage.environment.store.records.rowCount <= count + CollectionTriggers.endedCallsLimit)
        stage.environment.collectGarbage()
        #expect(stage.environment.store.records.rowCount == count)
        films.release()
    }

    /// One record of each block stays. The blocks are freed nevertheless, because the records are moved together.
    @Test func whatIsLeftMovesTogether() throws {
        let store = Store()
        let all = store.bind(Films.ListQuery())
        let some = store.bind(Films.ListQuery(variables: .init(first: .value(30))))
        func answer(_ numbers: some Sequence<Int>) -> String {
            let films = numbers.map { number in
                #"{"id":"\#(number)","title":"Film \#(number)","favourite":true,"director":null}"#
            }
            return #"{"data":{"films":[\#(films.joined(separator: ","))],"total":1}}"#
        }
        store.operations.retain(all)
        try store.write(answer(0..<3840), for: all)
        let kept = stride(from: 5, to: 3840, by: 128)
        store.operations.retain(some)
        try store.write(answer(kept), for: some)
        let snapshot = store.read(Films.ListQuery(variables: .init(first: .value(30))))
        let subscriber = CountingSubscriber()
        _ = store.subscribe(subscriber, to: snapshot.dependencies)
        #expect(store.records.valueCapacity > 3840 * 4)
        store.operations.releaseWithoutBuffer(all)
        _ = store.collector.collectGarbage()
        #expect(store.records.rowCount == 31)
        #expect(store.records.valueCapacity <= 2 * RecordBlock.rows * 4)
        #expect(store.checkInvariants() == [])
        #expect(subscriber.count == 0)
        #expect(store.check(some).isAvailable)
        let titles = store.read(Films.ListQuery(variables: .init(first: .value(30)))).data?.films.compactMap { film in
            film.flatMap { store.bind($0.row) }.flatMap {
                store.read(Films.FilmRow.Data.self, at: $0.record, $0.selections).data?.title
            }
        }
        #expect(titles == kept.map { "Film \($0)" })
        // The freed rows are used again.
        store.operations.retain(all)
        try store.write(answer(0..<3840), for: all)
        #expect(store.checkInvariants() == [])
        #expect(store.check(all).isAvailable)
    }

    @Test func aHoldPostponesCollections() async throws {
        let stage = Stage(releaseBufferSize: 0)
        let hold = stage.environment.holdCollection()
        let other = stage.environment.holdCollection()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Alien"))
        await stage.settle()
        #expect(stage.environment.collectGarbage() == 0)
        #expect(isThere("1", in: stage.environment))
        hold.release()
        hold.release()
        await stage.settle()
        #expect(isThere("1", in: stage.environment))
        other.release()
        await stage.settle()
        #expect(!isThere("1", in: stage.environment))
    }

    @Test func aStoreThatOnlyGrowsIsCollectedToo() async throws {
        let stage = Stage()
        let environment = stage.environment
        let operation = environment.store.bind(Films.ListQuery())
        environment.operations.retain(operation)
        // A poll that brings other films each time, without any release.
        for round in 0..<12 {
            let films = (0..<1000).map { (index: Int) -> String in
                #"{"id":"\#(round)-\#(index)","title":"T","favourite":null,"director":{"id":"p1","name":"Irvin"}}"#
            }
            try environment.store.write(
                #"{"data":{"films":[\#(films.joined(separator: ","))],"total":1}}"#, for: operation)
            await stage.settle()
        }
        #expect(environment.store.records.rowCount < 2 * GrowthCount.smallestGrowth)
        environment.collectGarbage()
        #expect(environment.store.records.rowCount == 1002, "the films, their director and the root")
        #expect(environment.store.check(operation).isAvailable)
    }
}

extension GeneratedCode.OperationArtifact {
    fileprivate var asMutation: GeneratedCode.OperationArtifact {
        .init(
            name: "Rename", kind: .mutation, text: "", normalization: "{film:+Film{id:ID! title:String!}}",
            reader: "{film:+Film{id:ID! title:String!}}")
    }
}
