import Testing

@testable import Baton

/// Explanations of missing data, one test for each cause.
@Suite(.timeLimit(.minutes(20))) struct ExplanationCauseTests {
    private let clock = HandClock()

    private func stage(buffer: Int = 10, expiration: Duration? = nil, budget: Int? = nil) -> (
        RelayEnvironment, ScriptedNetwork
    ) {
        let network = ScriptedNetwork()
        let options = StoreOptions(
            releaseBufferSize: buffer, expiration: expiration, memoryBudget: budget,
            history: StoreOptions.History(fields: true)
        )
        return (RelayEnvironment(network: network, options: options, clock: clock), network)
    }

    private func settle(_ environment: RelayEnvironment, _ network: ScriptedNetwork) async {
        while true {
            let counts = environment.activity.counts
            if counts.deliveries == 0 && counts.collections == 0 && counts.requests == network.waiting
                && environment.activity.counts.revision == counts.revision
            {
                return
            }
            await Task.yield()
        }
    }

    private func fetch<Query: GraphQLQuery>(
        _ query: Query, _ json: String, _ environment: RelayEnvironment, _ network: ScriptedNetwork
    ) async throws where Query.ResponseFormat == GeneratedCode.SingleResponse {
        do {
            // The response retains its data until the end of this scope.
            async let response = environment.fetch(query)
            while network.waiting == 0 { await Task.yield() }
            network.answer(json)
            _ = try await response
        }
        await settle(environment, network)
    }

    private func film(_ number: Int) -> String { Films.film("\(number)", "Film \(number)") }

    @Test func itWasReleasedAndCollected() async throws {
        let (environment, network) = stage(buffer: 0)
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        try await fetch(Films.FilmQuery(id: "2"), film(2), environment, network)
        environment.collectGarbage()
        // The explanation is the same after the record's name was freed.
        let explanation = environment.explain("1", field: "title")
        #expect(explanation.state == .unknown)
        #expect(explanation.write?.source == .collection)
        let loss = try #require(explanation.loss)
        #expect(loss.reason == .released)
        #expect(loss.operationName == "Film")
        #expect(loss.variables == ["id": "1"])
        #expect(loss.isWriter)
        #expect(loss.lastWrite.source == .response(operationName: "Film", kind: .query, request: 1))
        #expect(
            explanation.description.hasPrefix(
                "The record '1' was collected: no operation, handle or layer held it any more. It went by the collection"
            ))
        #expect(
            explanation.description.contains(
                "Query 'Film' with {\"id\":\"1\"} was released at 0.0 seconds, and did not stay."))
    }

    @Test func othersTookItsPlaceInTheReleaseBuffer() async throws {
        let (environment, network) = stage(buffer: 1)
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        clock.advance(by: .seconds(5))
        try await fetch(Films.FilmQuery(id: "2"), film(2), environment, network)
        let loss = try #require(environment.explain("1").loss)
        #expect(loss.reason == .bufferWasFull)
        #expect(loss.releasedAt == .zero)
        #expect(loss.endedAt == .seconds(5))
        #expect(environment.explain("2").loss == nil)
    }

    @Test func itsTimeWasOver() async throws {
        let (environment, network) = stage(expiration: .seconds(60))
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        clock.advance(by: .seconds(61))
        environment.collectGarbage()
        let loss = try #require(environment.explain("1").loss)
        #expect(loss.reason == .expired)
        #expect(loss.description.contains("was released at 0.0 seconds, and its time was over at 61.0 seconds."))
    }

    @Test func theMemoryWasNeeded() async throws {
        let (environment, network) = stage(budget: 1)
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        environment.collectGarbage()
        let loss = try #require(environment.explain("1").loss)
        #expect(loss.reason == .memoryBudget)
        #expect(loss.operationName == "Film")
    }

    @Test func aListWasReplacedByAnAnswer() async throws {
        let (environment, network) = stage()
        let list = environment.retain(Films.ListQuery())
        try await fetch(Films.ListQuery(), Films.list(3), environment, network)
        try await fetch(Films.ListQuery(), Films.list(2), environment, network)
        environment.collectGarbage()
        let loss = try #require(environment.explain("3").loss)
        #expect(loss.reason == .noLongerReached)
        #expect(loss.operationName == "List")
        #expect(loss.description.hasSuffix("Query 'List' with {} is held, but does not lead to it any more."))
        let films = environment.explain(.root, field: "films")
        #expect(films.write?.source == .response(operationName: "List", kind: .query, request: 2))
        list.release()
    }

    @Test func nobodyEverHeldIt() throws {
        let (environment, _) = stage()
        try environment.update { _ = try $0.create("draft", type: "Film") }
        environment.collectGarbage()
        let explanation = environment.explain("draft")
        #expect(explanation.loss?.reason == .neverHeld)
        #expect(explanation.loss?.lastWrite.source == .update)
        #expect(explanation.description.hasSuffix("No operation is known to have held it."))
    }

    @Test func itWasDeletedByAnUpdateOrByTheServer() async throws {
        let (environment, network) = stage()
        let query = environment.retain(Films.FilmQuery(id: "1"))
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        try await fetch(Films.FilmQuery(id: "1"), #"{"data":{"film":null}}"#, environment, network)
        let link = environment.explain(.root, field: "film", arguments: ["id": "1"])
        #expect(link.value == .null)
        #expect(link.write?.source == .response(operationName: "Film", kind: .query, request: 2))
        #expect(
            link.description.contains("'client:root' is null. The field was changed last by query 'Film', request 2"))
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        try environment.update { try $0.delete("1") }
        #expect(environment.explain("1").description.contains("It was deleted by a local update"))
        query.release()
    }

    @Test func theStoreWasReset() async throws {
        let (environment, network) = stage()
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        environment.reset()
        #expect(environment.explain("1").write?.source == .reset)
        // The explanation still names the reset after the publish was forgotten.
        for round in 0..<300 { try environment.update { try $0.root.setValue(.int(round), forField: "n") } }
        #expect(environment.explain("1").description.contains("'1': if there was one, it went with a reset"))
        #expect(environment.explain("never").loss == nil)
    }

    @Test func anOptimisticChangeHasEnded() throws {
        let (environment, _) = stage()
        let update = environment.applyUpdate { _ = try $0.create("draft", type: "Film") }
        #expect(environment.explain("draft").state == .existing)
        #expect(environment.explain("draft").write?.source == .optimistic)
        update.revert()
        let explanation = environment.explain("draft")
        #expect(explanation.state == .unknown)
        #expect(explanation.write?.source == .revert)
        #expect(
            explanation.description.hasPrefix("The record 'draft' was part of an optimistic change, which has ended."))
    }

    @Test func aLateAnswerWasLeftOut() async throws {
        let (environment, network) = stage()
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        try await fetch(Films.FilmQuery(id: "2"), film(2), environment, network)
        async let first = environment.fetch(Films.FilmQuery(id: "1"))
        while network.waiting < 1 { await Task.yield() }
        async let second = environment.fetch(Films.FilmQuery(id: "2"))
        while network.waiting < 2 { await Task.yield() }
        try environment.update { records in
            try records.get("1")?.setValue("mine", forField: "title")
            try records.delete("2")
        }
        network.answer(Films.film("1", "theirs"))
        _ = try await first
        network.answer(Films.film("2", "theirs"))
        _ = try await second
        let title = environment.explain("1", field: "title")
        #expect(title.value == "mine")
        #expect(title.write?.source == .update)
        #expect(title.lateResponse?.source == .response(operationName: "Film", kind: .query, request: 3))
        #expect(
            title.description.contains(
                "Left out, because it was asked for earlier and what is there is newer: query 'Film', request 3"))
        #expect(environment.explain("1", field: "rating").lateResponse == nil)
        #expect(
            environment.explain("2").lateResponse?.source == .response(operationName: "Film", kind: .query, request: 4))
        // Later writes are not part of the explanation.
        try environment.update { try $0.get("1")?.setValue("again", forField: "title") }
        #expect(environment.explain("1", field: "title").lateResponse == nil)
    }

    @Test func itWasNeverFetchedWithTheseArguments() async throws {
        let (environment, network) = stage()
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        let other = environment.explain(.root, field: "film", arguments: ["id": "7"])
        #expect(other.nearestKeys == [#"film(id:"1")"#])
        #expect(other.description.contains(#"What it has that is nearest: 'film(id:"1")'."#))
        #expect(environment.explain("1", field: "titel").nearestKeys == ["title"])
        #expect(environment.explain("1", field: "unheardOf").nearestKeys.isEmpty)
        #expect(environment.explain("1", field: "title").nearestKeys.isEmpty)
        // A handle that asks for another film has the same explanation.
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOnly)
        _ = handle.get(id: "7")
        #expect(handle.explanation?.cause?.nearestKeys == [#"film(id:"1")"#])
    }

    @Test func anInvalidationIsTheCauseOfStaleData() async throws {
        let (environment, network) = stage()
        try await fetch(Films.FilmQuery(id: "1"), film(1), environment, network)
        environment.invalidate(type: "Film")
        let explanation = environment.explain(Films.FilmQuery(id: "1"))
        #expect(explanation.availability.staleness != nil)
        #expect(explanation.cause?.invalidations.first?.target == .type)
        #expect(explanation.cause?.invalidations.first?.write.source == .invalidation)
    }

    @Test func withoutHistoryItClaimsNothing() throws {
        let store = Store(options: StoreOptions(history: StoreOptions.History(publishes: 0)))
        try store.update { _ = try $0.create("draft", type: "Film") }
        store.collector.collectGarbage()
        let explanation = store.explain("draft")
        #expect(explanation.loss == nil)
        #expect(explanation.description.hasPrefix("The store does not know the record 'draft'"))
    }

    @Test func whatTheStoreKeepsOfItIsBounded() throws {
        let (environment, _) = stage()
        let store = environment.store
        let operation = store.bind(Films.ListQuery())
        for round in 0..<30 {
            try store.update { records in
                for number in 0..<300 { _ = try records.create(DataID("\(round)-\(number)"), type: "Film") }
            }
            store.journal.noteRelease(of: operation.artifact, operation.key, .released, since: .zero)
            store.collector.collectGarbage()
        }
        #expect(store.explain("29-0").loss != nil)
        #expect(store.explain("0-0").loss == nil)
        #expect(store.explain("0-0").description.contains("it was collected and its name given back"))
        #expect(store.journal.current.collections.count <= 3 * 16 * 256 + 512)
    }
}
