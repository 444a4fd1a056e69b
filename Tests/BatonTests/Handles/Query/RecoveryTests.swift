import Testing

@testable import Baton

/// A failure ends when other operations bring the data.
@Suite(.timeLimit(.minutes(20))) struct RecoveryTests {
    let stage = Stage()

    private func failed(_ policy: FetchPolicy) async -> QueryHandle<Films.FilmQuery> {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: policy)
        _ = handle.get(id: "1")
        await stage.fail()
        #expect(handle.get(id: "1") == .failure(.transport(Unreachable())))
        return handle
    }

    @Test(arguments: [FetchPolicy.storeOrNetwork, .storeAndNetwork, .networkOrStore])
    func dataThatAnotherQueryCompletesIsShown(_ policy: FetchPolicy) async throws {
        let handle = await failed(policy)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(result) }
        await stage.settle()
        // This answer brings only a part of the data.
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"half"}}}"#)
        #expect(handle.get(id: "1").error != nil)
        let events = stage.log.events.count
        try await stage.seed(Films.TitleQuery(id: "2"), #"{"data":{"film":{"id":"2","title":"other"}}}"#)
        #expect(handle.get(id: "1").error != nil)
        #expect(
            !stage.log.events.dropFirst(events).contains { if case .checked = $0 { true } else { false } },
            "what has nothing to do with it is not looked at")
        // This update brings the rest, except for the fields of a fragment.
        try stage.environment.update { try $0.get("1")?.setValue(3, forField: "rating") }
        await stage.settle()
        #expect(handle.get(id: "1").error != nil)
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "whole"))
        #expect(handle.get(id: "1").data?.film?.title == "whole")
        #expect(handle.fetchError == .transport(Unreachable()), "why the fetch brought nothing stays known")
        await stage.settle()
        #expect(await screen.titles == [nil, "whole"])
        var (published, delivered): (Int?, Int?) = (nil, nil)
        for event in stage.log.events {
            if case .published(let publish) = event { published = publish.number }
            if case .delivered(let delivery) = event { delivered = delivery.publish }
        }
        #expect(delivered == published, "the log says what the change was delivered for")
        // From here on the handle works like any other.
        try stage.environment.update { try $0.get("1")?.setValue("changed", forField: "title") }
        await stage.settle()
        #expect(await screen.titles == [nil, "whole", "changed"])
    }

    @Test func whereOnlyTheNetworkCountsTheFailureStays() async throws {
        let handle = await failed(.networkOnly)
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "whole"))
        #expect(handle.get(id: "1").error != nil)
        handle.retry()
        await stage.answer(Films.film("1", "asked"))
        #expect(handle.get(id: "1").data?.film?.title == "asked")
    }

    @Test func whatIsCompleteButInvalidatedStaysAFailure() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "old"))
        stage.environment.invalidate()
        let handle = await failed(.storeOrNetwork)
        try stage.environment.update { try $0.get("1")?.setValue("local", forField: "title") }
        await stage.settle()
        #expect(handle.get(id: "1").error != nil)
    }

    @Test func aHandleThatDiesLeavesNoSubscription() async throws {
        var handle: QueryHandle<Films.FilmQuery>? = await failed(.storeOrNetwork)
        #expect(stage.environment.store.subscriptionCount == 1)
        #expect(handle?.get(id: "1").error != nil)
        handle = nil
        #expect(stage.environment.store.subscriptionCount == 0)
    }
}
