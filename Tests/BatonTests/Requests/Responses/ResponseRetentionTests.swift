import Testing

@testable import Baton

/// Responses and fragment handles retain the data that they refer to.
@Suite(.timeLimit(.minutes(20))) struct ResponseRetentionTests {
    let stage = Stage(releaseBufferSize: 0)

    private func fetched<Value: Sendable>(
        _ json: String, _ body: @Sendable @escaping (RelayEnvironment) async throws -> Value
    ) async throws -> Value {
        let environment = stage.environment
        let task = Task { try await body(environment) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(json)
        let value = try await task.value
        await stage.settle()
        return value
    }

    private func isKnown(_ id: DataID) -> Bool { stage.environment.records[id] != nil }

    @Test func aResponseKeepsItsRecordsUntilItsLastCopyGoes() async throws {
        var response: GraphQLResponse<Films.FilmQuery>? = try await fetched(Films.film("1", "one")) {
            try await $0.fetch(Films.FilmQuery(id: "1"))
        }
        let row = try #require(response?.data?.film?.row)
        stage.environment.collectGarbage()
        #expect(response?.read(row)?.title == "one")
        var copy = response
        response = nil
        await stage.settle()
        stage.environment.collectGarbage()
        #expect(copy?.read(row)?.title == "one")
        #expect(copy?.json["data"]?["film"]?["title"] == "one")
        copy = nil
        await stage.settle()
        stage.environment.collectGarbage()
        #expect(!isKnown("1"))
    }

    @Test func aResponseFromTheStoreAndOneOfAMutationKeepTheirs() async throws {
        let holder = stage.environment.retain(Films.FilmQuery(id: "1"))
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let stored = try #require(try? await stage.environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly))
        holder.release()
        let mutated = try await fetched(Films.favourite("2", true)) {
            try await $0.commit(Films.SetFavouriteMutation(variables: .init(id: "2", favourite: true)))
        }
        stage.environment.collectGarbage()
        #expect(isKnown("1") && isKnown("2"))
        withExtendedLifetime((stored, mutated)) {}
    }

    @Test func aFragmentHandleRetainsFromItsMaking() async throws {
        var response: GraphQLResponse<Films.FilmQuery>? = try await fetched(Films.film("1", "one")) {
            try await $0.fetch(Films.FilmQuery(id: "1"))
        }
        let row = try #require(response?.data?.film?.row)
        var handle: FragmentHandle<Films.FilmRow>? = FragmentHandle(row, in: stage.environment)
        response = nil
        await stage.settle()
        stage.environment.collectGarbage()
        #expect(handle?.get().data?.title == "one")
        handle = nil
        await stage.settle()
        stage.environment.collectGarbage()
        #expect(!isKnown("1"))
    }

    @Test func aFragmentHandleThatMovesHoldsWhatItPointsAtNow() async throws {
        let environment = stage.environment
        var first: GraphQLResponse? = try await fetched(Films.film("1", "one")) {
            try await $0.fetch(Films.FilmQuery(id: "1"))
        }
        let handle = FragmentHandle(try #require(first?.data?.film?.row), in: environment)
        first = nil
        await stage.settle()
        let second = try await fetched(Films.film("2", "two")) { try await $0.fetch(Films.FilmQuery(id: "2")) }
        let row = try #require(second.data?.film?.row)
        handle.show(row)
        handle.show(row)
        #expect(environment.store.operations.holderCount(of: environment.store.bind(Films.FilmQuery(id: "1"))) == 0)
        environment.collectGarbage()
        #expect(!isKnown("1"))
        #expect(handle.get().data?.title == "two")
        withExtendedLifetime(second) {}
    }
}
