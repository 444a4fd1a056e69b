import Testing

@testable import Baton

/// What a network gets to know about a call, and what a configuration does.
@Suite(.timeLimit(.minutes(20))) struct RequestConfigurationTests {
    enum Tenant: RequestContextKey { static let defaultValue = "public" }

    let stage = Stage()

    @Test func aRequestSaysWhatItsCallerSaid() async throws {
        var configuration = RequestConfiguration(headers: ["A": "b"])
        #expect(configuration.context[Tenant.self] == "public")
        configuration.context[Tenant.self] = "north"
        let handle = QueryHandle<Films.FilmQuery>(
            in: stage.environment, fetchPolicy: .storeAndNetwork, configuration: configuration)
        _ = handle.get(id: "1", fetchKey: 7)
        await stage.settle()
        let request = try #require(stage.network.sent.first)
        #expect(request.configuration == configuration)
        #expect(request.configuration.context[Tenant.self] == "north")
        #expect(request.policy == .storeAndNetwork)
        #expect(request.fetchKey == "7")
        #expect(request.idempotencyKey == nil)
    }

    @Test func aRequestIsSharedOnlyUnderTheSameConfiguration() async throws {
        let plain = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let same = QueryHandle<Films.FilmQuery>(in: stage.environment)
        var configuration = RequestConfiguration()
        configuration.context[Tenant.self] = "north"
        let other = QueryHandle<Films.FilmQuery>(in: stage.environment, configuration: configuration)
        _ = plain.get(id: "1")
        _ = same.get(id: "1")
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        _ = other.get(id: "1")
        await stage.settle()
        #expect(stage.network.sent.count == 2)
    }

    @Test func eachCommitHasAKeyOfItsOwnUnlessTheCallerGivesOne() async throws {
        let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))
        for configuration in [RequestConfiguration(), .init(), .init(idempotencyKey: "mine")] {
            let count = stage.network.sent.count
            let task = Task { [environment = stage.environment] in
                try await environment.commit(mutation, configuration: configuration)
            }
            await until { [network = stage.network] in network.sent.count > count }
            stage.network.answer(Films.favourite("1", true))
            _ = try await task.value
        }
        let keys = stage.network.sent.map { $0.idempotencyKey ?? "" }
        #expect(keys[0].count == 32 && keys[1].count == 32 && keys[0] != keys[1])
        #expect(keys[2] == "mine")
    }

    @Test func anyErrorIsAFailureUnderThatPolicyAndTheStoreStaysAsItWas() async throws {
        let answer = #"{"data":{"film":null},"errors":[{"message":"no","path":["film"]}]}"#
        for policy in RequestConfiguration.ErrorPolicy.allCases {
            let handle = QueryHandle<Films.FilmQuery>(
                in: stage.environment, configuration: .init(errorPolicy: policy))
            _ = handle.get(id: "1")
            let epoch = stage.environment.store.epoch
            await stage.answer(answer)
            if policy == .partialData {
                #expect(handle.result.data?.film == nil && handle.result.error == nil)
                #expect(handle.errors.count == 1)
            } else {
                let error = try #require(handle.result.error)
                #expect(error == .hasErrors(error.graphQLErrors) && error.graphQLErrors.count == 1)
                #expect(stage.environment.store.epoch == epoch)
            }
        }
    }

    @Test func completeAnswersAreFineUnderEitherErrorPolicy() async throws {
        let task = Task { [environment = stage.environment] in
            try await environment.fetch(Films.FilmQuery(id: "1"), configuration: .init(errorPolicy: .failure))
        }
        await until { [network = stage.network] in network.waiting == 1 }
        stage.network.answer(Films.film("1", "one"))
        #expect(try await task.value.data?.film?.title == "one")
    }

    @Test func aRequestWithoutAnAnswerEndsAfterItsTimeout() async throws {
        let configuration = RequestConfiguration(timeout: .milliseconds(20))
        let environment = stage.environment
        await #expect(throws: RelayError.timedOut(after: .milliseconds(20))) {
            try await environment.fetch(Films.FilmQuery(id: "1"), configuration: configuration)
        }
        await until { [network = stage.network] in network.cancelled == 1 }
        #expect(environment.activity.counts.requests == 0)
        let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))
        await #expect(throws: RelayError.timedOut(after: .milliseconds(20))) {
            try await environment.commit(mutation, configuration: configuration)
        }
    }

    @Test func anAnswerInTimeStopsTheTimer() async throws {
        let handle = QueryHandle<Films.FilmQuery>(
            in: stage.environment, configuration: .init(timeout: .seconds(3600)))
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(handle.result.data?.film?.title == "one")
        #expect(stage.environment.activity.counts.requests == 0)
    }

    @Test func whatNeedsTheStoreRefusesToLeaveItAlone() async throws {
        let aside = RequestConfiguration(writeResultsToStore: false)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, configuration: aside)
        _ = handle.get(id: "1")
        await stage.settle()
        guard handle.result.error?.code == .configuration else {
            Issue.record("\(handle.result)")
            return
        }
        let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))
        let environment = stage.environment
        await #expect(throws: RelayError.self) { try await environment.commit(mutation, configuration: aside) }
        #expect(stage.network.sent.isEmpty)
    }

    @Test func contextsAreEqualByTheValuesThatWereSet() {
        enum Number: RequestContextKey { static let defaultValue = 0 }
        var (left, right) = (RequestContext(), RequestContext())
        #expect(left == right)
        left[Number.self] = 1
        #expect(left != right)
        right[Number.self] = 1
        right[Tenant.self] = "north"
        #expect(left != right)
        left[Tenant.self] = "north"
        #expect(left == right && left.hashValue == right.hashValue)
        right[Number.self] = 2
        #expect(left != right)
    }
}
