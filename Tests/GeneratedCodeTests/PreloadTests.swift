import Baton
import Foundation
import Testing

/// Requests of queries with `@preloadable`, which are made without the queries.
@Suite struct PreloadTests {
    /// The parts of a request, without the number that the environment gives it.
    private struct Sent: Equatable {
        let name: String
        let kind: OperationKind
        let id: String?
        let text: String?
        let variables: [JSONValue.Member]

        /// The request of a query.
        init<Query: GraphQLQuery>(_ query: Query) async throws
        where Query.ResponseFormat == GeneratedCode.SingleResponse {
            let network = CannedNetwork(#"{"data": null}"#)
            _ = try? await RelayEnvironment(network: network).fetch(query)
            let request = try #require(network.lastRequest)
            name = request.operationName
            kind = request.kind
            id = request.documentID
            text = request.text
            variables = request.variables
        }

        /// The request of a query's parameters.
        init<Query: GeneratedCode.PreloadableQuery>(parameters: Query) {
            name = Query.parameters.name
            kind = Query.parameters.kind
            id = Query.parameters.id
            text = Query.parameters.text
            variables = parameters.sentVariables.members
        }
    }

    @Test func parametersMakeTheRequestOfTheirQuery() async throws {
        let all = PreloadFilmsQueryParameters(
            filter: FilmFilter(encoder: "x", self2: .null), since: Day(1977, 5, 25), text: "own")
        for parameters in [all, PreloadFilmsQueryParameters(), PreloadFilmsQueryParameters(text: "own")] {
            let sent = Sent(parameters: parameters)
            #expect(try await Sent(PreloadFilmsQuery(variables: parameters.variables)) == sent)
            #expect(sent.variables.contains { $0.name.hasPrefix("__relay_internal__pv__") })
        }
        let explicit = PreloadFilmsQuery(
            filter: FilmFilter(encoder: "x", self2: .null), since: Day(1977, 5, 25), text: "own")
        #expect(try await Sent(explicit) == Sent(parameters: all))
        #expect(try await Sent(PreloadLibraryQuery()) == Sent(parameters: PreloadLibraryQueryParameters()))
    }

    @Test func variablesThatNestTooDeepAreRefusedLikeThoseOfTheQuery() async throws {
        var filter = FilmFilter()
        for _ in 0..<(JSONValue.maximumDepth + 1) { filter = FilmFilter(not: filter) }
        let parameters = PreloadFilmsQueryParameters(filter: filter)
        let refusal = try #require(parameters.sentVariables.refusal)
        let environment = RelayEnvironment(network: CannedNetwork(#"{"data": null}"#))
        await #expect(throws: refusal) {
            try await environment.fetch(PreloadFilmsQuery(variables: parameters.variables))
        }
    }

    @Test func parametersAreComparedByTheirVariables() {
        #expect(PreloadFilmsQueryParameters(text: "a") == PreloadFilmsQueryParameters(text: "a"))
        #expect(PreloadFilmsQueryParameters(text: "a") != PreloadFilmsQueryParameters())
        #expect(Set([PreloadLibraryQueryParameters(), PreloadLibraryQueryParameters()]).count == 1)
    }
}
