import Testing

@testable import Baton

/// A network of the application's own makes errors of every kind, and each caller tells them apart by the kind.
@Suite(.timeLimit(.minutes(20))) struct OwnNetworkErrorTests {
    struct Failing: NetworkLayer {
        let error: any Error

        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw error }
    }

    struct Forbidden: TransportError {
        var kind: RelayError.Kind { .misuse }
        var advice: String { "" }
    }

    static let errors: [(any Error, RelayError.Kind)] = [
        (Unreachable(), .network), (RelayError.httpStatus(502, body: ""), .network),
        (RelayError.noData([GraphQLError(message: "no")]), .server),
        (RelayError.invalidResponse(RelayError.InvalidResponse(.notAResponse)), .data),
        (RelayError.configuration("nobody is signed in"), .misuse), (Forbidden(), .misuse),
        (CancellationError(), .cancelled), (RelayError.cancelled, .cancelled),
    ]

    private func environment(_ index: Int) -> RelayEnvironment {
        RelayEnvironment(network: Failing(error: Self.errors[index].0), log: { _ in })
    }

    @Test(arguments: errors.indices) func aFetchThrowsTheKind(_ index: Int) async {
        let kind: RelayError.Kind?
        do throws(RelayError) {
            _ = try await environment(index).fetch(Films.CountQuery())
            kind = nil
        } catch let error where error.kind == .network {
            kind = .network
        } catch {
            kind = error.kind
        }
        #expect(kind == Self.errors[index].1)
    }

    @Test(arguments: errors.indices) func aQueryHandleShowsTheKind(_ index: Int) async throws {
        let environment = environment(index)
        let handle = QueryHandle<Films.CountQuery>(in: environment)
        _ = handle.get()
        _ = await environment.settled()
        let error = try #require(handle.result.error)
        #expect(error.kind == Self.errors[index].1)
        #expect(throws: error) { try handle.result.get() }
    }

    @Test(arguments: errors.indices) func aMutationHandleThrowsAndShowsTheKind(_ index: Int) async {
        let handle = MutationHandle<Films.SetFavouriteMutation>(in: environment(index))
        let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))
        do {
            try await handle.commit(mutation)
            Issue.record("the commit succeeded")
        } catch {
            #expect(error.kind == Self.errors[index].1)
            #expect(handle.result.error == error)
        }
    }

    @Test(arguments: errors.indices) func aSubscriptionThrowsTheKind(_ index: Int) async {
        do {
            for try await _ in environment(index).subscribe(FilmChangedSubscription(id: "1")) {}
            Issue.record("the subscription ended well")
        } catch {
            #expect(error.kind == Self.errors[index].1)
        }
    }

    /// The response and a handle name the same reason.
    @Test func aResponseOfErrorsSaysWhyItHasNoData() async throws {
        let stage = Stage()
        let task = Task { try await stage.environment.fetch(Films.CountQuery()) }
        await stage.settle()
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(#"{"data":null,"errors":[{"message":"no"}]}"#)
        let response = try await task.value
        #expect(response.failure == .noData([GraphQLError(message: "no")]))
        #expect(response.failure?.kind == .server && response.result == .failure(.noData(response.errors)))
    }

    @Test func aResponseWithDataHasNoFailure() async throws {
        let stage = Stage()
        let task = Task { try await stage.environment.fetch(Films.FilmQuery(id: "1")) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(#"{"data":{"film":null},"errors":[{"message":"no","path":["film"]}]}"#)
        let response = try await task.value
        #expect(response.failure == nil && response.errors.count == 1 && response.data != nil)
    }
}
