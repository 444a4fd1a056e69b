import Testing

@testable import Baton

/// One-shot fetches whose answer lacks a field.
@Suite(.timeLimit(.minutes(20))) struct IncompleteAnswerTests {
    let stage = Stage()

    private func fetch<Query: GraphQLQuery>(
        _ query: Query, writing: Bool = true, _ json: String
    ) async throws -> GraphQLResponse<Query> where Query.ResponseFormat == GeneratedCode.SingleResponse {
        let environment = stage.environment
        let task = Task { try await environment.fetch(query, configuration: .init(writeResultsToStore: writing)) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(json)
        return try await task.value
    }

    private var missing: [LogEvent.MissingData] {
        stage.log.events.compactMap { if case .missingData(let event) = $0 { event } else { nil } }
    }

    @Test(arguments: [true, false]) func theResponseAndTheLogSayWhatIsMissing(_ isWritten: Bool) async throws {
        let response = try await fetch(Films.CountQuery(), writing: isWritten, #"{"data":{}}"#)
        #expect(response.data == nil && response.errors == [] && response.failure == nil)
        #expect(response.isMissingData)
        #expect(response.missingField?.path == ["total"])
        #expect(missing.map(\.component) == ["Count"])
        #expect(missing.first?.location == response.missingField)
    }

    @Test func aFieldFarBelowIsNamedWithItsRecord() async throws {
        let body = #"{"data":{"film":{"id":"1","rating":5,"favourite":true,"director":null}}}"#
        let response = try await fetch(Films.FilmQuery(id: "1"), body)
        #expect(response.data != nil && response.data?.film == nil)
        #expect(response.missingField?.path == ["film", "title"])
        #expect(response.missingField?.dataID == "1")
    }

    @Test func whatOnlyAFragmentLacksIsSaidWhenItIsRead() async throws {
        let body = #"{"data":{"film":{"id":"1","title":"one","rating":5,"director":null}}}"#
        let response = try await fetch(Films.FilmQuery(id: "1"), body)
        #expect(!response.isMissingData && missing.isEmpty)
        let row = try #require(response.data?.film?.row)
        #expect(response.read(row)?.favourite == nil)
        #expect(missing.map(\.component) == ["FilmRow"])
        #expect(missing.first?.location.path == ["favourite"])
    }

    @Test func anAnswerThatIsNullOrWholeLacksNothing() async throws {
        #expect(try await !fetch(Films.CountQuery(), #"{"data":{"total":3}}"#).isMissingData)
        #expect(try await !fetch(Films.CountQuery(), #"{"data":null,"errors":[{"message":"no"}]}"#).isMissingData)
        #expect(missing.isEmpty)
    }
}
