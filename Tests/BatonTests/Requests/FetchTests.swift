import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct FetchTests {
    let stage = Stage()
    let query = Films.FilmQuery(id: "1")

    private func answering<Value: Sendable>(
        _ json: String?, _ body: @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        while stage.network.waiting == 0 { await Task.yield() }
        if let json { stage.network.answer(json) } else { stage.network.fail() }
        return try await task.value
    }

    @Test func oneShotGivesDataErrorsExtensionsAndJSON() async throws {
        let environment = stage.environment
        let body =
            #"{"data":{"film":{"id":"1","title":"one","rating":5,"favourite":true,"director":null}},"#
            + #""errors":[{"message":"late"}],"extensions":{"cost":3}}"#
        let response = try await answering(body) { [query] in try await environment.fetch(query) }
        #expect(response.data?.film?.title == "one")
        #expect(response.errors == [GraphQLError(message: "late")])
        #expect(response.extensions == ["cost": 3])
        #expect(response.source == .network)
        #expect(response.json["data"]?["film"]?["favourite"] == true, "masked fields are in the JSON")
        let row = try #require(response.data?.film?.row)
        #expect(response.read(row)?.favourite == true)
        #expect(environment.read(row)?.favourite == true)
        let stored = try? await environment.fetch(query, policy: .storeOnly)
        #expect(
            stored
                == GraphQLResponse(
                    stored: environment.store.bind(query), errors: response.errors, in: environment))
        #expect(stored?.json == ["data": response.json["data"] ?? .null])
    }

    @Test("Errors of the server are in the response, and any other error is thrown.")
    func dataNullWithErrorsIsAResponseAndOtherTroubleIsThrown() async throws {
        let environment = stage.environment
        let response = try await answering(QueryHandleTests.noDataWithErrors) { [query] in
            try await environment.fetch(query)
        }
        #expect(response.data == nil)
        #expect(response.errors == [GraphQLError(message: "down")])
        let query = query
        await #expect(throws: RelayError.transport(Unreachable())) {
            _ = try await answering(nil) { try await environment.fetch(query) }
        }
        await #expect(throws: RelayError.self) {
            _ = try await answering("[]") { try await environment.fetch(query) }
        }
    }

    @Test(arguments: [FetchPolicy.networkOnly, .storeOrNetwork, .storeAndNetwork, .networkOrStore], [true, false])
    func aPolicyThatNeedsTheNetworkGivesItsResponse(_ policy: FetchPolicy, isStored: Bool) async throws {
        let environment = stage.environment
        if isStored { try await stage.seed(query, Films.film("1", "stored")) }
        let sent = stage.network.sent.count
        if policy == .storeOrNetwork, isStored {
            let response = try await environment.fetch(query, policy: policy)
            #expect(response.data?.film?.title == "stored" && response.source == .store)
            #expect(stage.network.sent.count == sent)
            environment.invalidate()
        }
        let response = try await answering(Films.film("1", "fetched")) { [query] in
            try await environment.fetch(query, policy: policy)
        }
        #expect(response.data?.film?.title == "fetched" && response.source == .network)
    }

    @Test("`networkOrStore` falls back on complete data only.")
    func networkOrStoreFallsBackOnCompleteDataOnly() async throws {
        let environment = stage.environment
        let query = query
        await #expect(throws: RelayError.transport(Unreachable())) {
            _ = try await answering(nil) { try await environment.fetch(query, policy: .networkOrStore) }
        }
        try await stage.seed(query, Films.film("1", "stored"))
        for json in [nil, QueryHandleTests.noDataWithErrors] {
            let response = try await answering(json) { try await environment.fetch(query, policy: .networkOrStore) }
            #expect(response.data?.film?.title == "stored" && response.source == .store)
        }
    }

    @Test("`storeOnly` throws unless the store has all of the data.")
    func storeOnlyThrowsUnlessAllOfItIsThere() async throws {
        let environment = stage.environment
        let missing = RelayError.notInStore(component: "Film")
        await #expect(throws: missing) { try await environment.fetch(query, policy: .storeOnly) }
        await #expect(throws: missing) { try await environment.prefetch(query, policy: .storeOnly) }
        await #expect(throws: missing) {
            for try await _ in environment.fetchStream(query, policy: .storeOnly) {}
        }
        try await stage.seed(query, Films.film("1", "stored"))
        #expect(try await environment.fetch(query, policy: .storeOnly).data?.film?.title == "stored")
        #expect(try await environment.prefetch(query, policy: .storeOnly).isEmpty)
        #expect(stage.network.sent.count == 1)
    }

    /// The responses of `fetchStream`: under each policy, with and without data in the store, with and without a
    /// network.
    @Test(arguments: FetchPolicy.allCases, [true, false])
    func aStreamHasTheResponsesOfItsPolicy(_ policy: FetchPolicy, isStored: Bool) async throws {
        for isReached in [true, false] {
            let stage = Stage()
            if isStored { try await stage.seed(query, Films.film("1", "stored")) }
            let environment = stage.environment
            let reading = Task { [query] in
                var titles: [String?] = []
                do {
                    for try await response in environment.fetchStream(query, policy: policy) {
                        titles.append(response.data?.film?.title)
                    }
                } catch {
                    titles.append(nil)
                }
                return titles
            }
            let isAsked =
                switch policy {
                case .storeOnly: false
                case .storeOrNetwork: !isStored
                case .storeAndNetwork, .networkOnly, .networkOrStore: true
                }
            if isAsked {
                while stage.network.waiting == 0 { await Task.yield() }
                if isReached { stage.network.answer(Films.film("1", "fetched")) } else { stage.network.fail() }
            }
            let network = isReached ? "fetched" : nil
            let expected: [String?] =
                switch policy {
                case .storeOnly: [isStored ? "stored" : nil]
                case .storeOrNetwork: [isStored ? "stored" : network]
                case .storeAndNetwork: isStored ? ["stored", network] : [network]
                case .networkOnly: [network]
                case .networkOrStore: [network ?? (isStored ? "stored" : nil)]
                }
            #expect(await reading.value == expected, "reached: \(isReached)")
        }
    }

    @Test("`storeAndNetwork` gives the data of the store first, and then the response of the network.")
    func storeAndNetworkGivesBothAndInThatOrder() async throws {
        try await stage.seed(query, Films.film("1", "stored"))
        var titles: [String?] = []
        for try await response in stage.environment.fetchStream(query, policy: .storeAndNetwork) {
            titles.append(response.data?.film?.title)
            if response.source == .store {
                while stage.network.waiting == 0 { await Task.yield() }
                stage.network.answer(Films.film("1", "fetched"))
            }
        }
        #expect(titles == ["stored", "fetched"])
        await #expect(throws: RelayError.transport(Unreachable())) {
            for try await _ in stage.environment.fetchStream(query, policy: .storeAndNetwork) {
                while stage.network.waiting == 0 { await Task.yield() }
                stage.network.fail()
            }
        }
    }

    @Test("With `writeResultsToStore` false the response has its own records, and the store stays as it is.")
    func aResponseMayCarryItsOwnRecords() async throws {
        let environment = stage.environment
        let epoch = environment.store.epoch
        let response = try await answering(Films.film("1", "aside")) { [query] in
            try await environment.fetch(query, configuration: .init(writeResultsToStore: false))
        }
        let film = try #require(response.data?.film)
        #expect(film.title == "aside")
        #expect(response.read(film.row)?.director?.name == "Irvin")
        #expect(environment.read(film.row) == nil)
        #expect(environment.store.epoch == epoch)
        #expect(stage.network.sent.count == 1)
        #expect(environment.activity.counts.requests == 0)
    }

    @Test("A request in flight for the same query is shared, also with handles.")
    func aHandleAndAOneShotShareARequest() async throws {
        let environment = stage.environment
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        let task = Task { [query] in try await environment.fetch(query) }
        while !stage.log.fetches.contains("shared") { await Task.yield() }
        await stage.answer(Films.film("1", "one"))
        #expect(try await task.value.data?.film?.title == "one")
        #expect(handle.get(id: "1").data?.film?.title == "one")
        #expect(stage.log.fetches == ["started", "shared", "finished"])
    }

    @Test("A cancelled task cancels the request that it alone waits for.")
    func cancellingTheTaskCancelsTheRequest() async throws {
        let environment = stage.environment
        let task = Task { [query] in try await environment.fetch(query) }
        while stage.network.waiting == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        await stage.settle()
        #expect(stage.network.cancelled == 1)
        #expect(stage.log.fetches == ["started", "cancelled"])
        let stream = Task { [query] in
            for try await _ in environment.fetchStream(query, policy: .storeAndNetwork) {}
        }
        while stage.network.waiting == 0 { await Task.yield() }
        stream.cancel()
        _ = await stream.result
        await stage.settle()
        #expect(stage.network.cancelled == 2)
    }
}
