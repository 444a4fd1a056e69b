import Testing

@testable import Baton

@Suite struct NetworkTests {
    @Test func theBodyOfAPOSTHasTextNameAndVariables() throws {
        let request = NetworkRequest(
            id: 1, operationName: "Film", kind: .query, text: "query Film { \"x\" }",
            variables: [.init("id", "1"), .init("first", .null)]
        )
        #expect(
            String(decoding: request.jsonBody, as: UTF8.self)
                == #"{"query":"query Film { \"x\" }","operationName":"Film","variables":{"id":"1","first":null}}"#)
        let bare = NetworkRequest(id: 2, operationName: "Count", kind: .query, text: "query Count { total }")
        #expect(
            String(decoding: bare.jsonBody, as: UTF8.self)
                == #"{"query":"query Count { total }","operationName":"Count"}"#)
        let named = NetworkRequest(id: 3, operationName: "Count", kind: .query, documentID: "a1", text: nil)
        #expect(
            String(decoding: named.jsonBody, as: UTF8.self) == #"{"documentId":"a1","operationName":"Count"}"#)
    }

    @Test func variablesThatAreLeftOutAreNotSent() async throws {
        let stage = Stage()
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        for first: GraphQLNullable<Int> in [.absent, .null, .value(3)] {
            _ = list.get(.init(first: first))
            await stage.settle()
        }
        #expect(stage.network.sent.map { JSONValue.object($0.variables) } == [[:], ["first": nil], ["first": 3]])
        #expect(stage.network.sent.map(\.id) == [1, 2, 3])
    }

    /// A network that announces further answers after its only one.
    struct Announcing: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            NetworkResponse(body: Array(Films.film("1", "one").utf8), hasNext: true)
        }
    }

    @Test func aTransportThatAnswersOnceIsAskedOnce() async throws {
        let request = NetworkRequest(id: 1, operationName: "Film", kind: .query, text: "", variables: [])
        var count = 0
        for try await _ in Announcing().responses(to: request) { count += 1 }
        #expect(count == 1)
        await #expect(throws: Self.closedEarly([Films.film("1", "one")])) {
            try await RelayEnvironment(network: Announcing()).fetch(Films.FilmQuery(id: "1"))
        }
    }

    private static func closedEarly(_ bodies: [String]) -> RelayError {
        let bytes = bodies.reduce(0) { $0 + $1.utf8.count }
        return .transport(RelayError.StreamError.closedEarly(responses: bodies.count, bytes: bytes))
    }

    /// What has landed stays in the store and in handles, beside the error.
    @Test func anAnswerThatIsNotFinishedIsAnErrorOverAnyNetwork() async {
        let bodies = [Films.film("1", "one"), Films.film("1", "two")]
        let environment = RelayEnvironment(network: Several(bodies: bodies, endsEarly: true))
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        #expect(await environment.settled().isEmpty)
        #expect(handle.fetchError == Self.closedEarly(bodies))
        #expect(handle.result.data?.film?.title == "two")
    }

    struct Several: NetworkLayer {
        let bodies: [String]
        let endsEarly: Bool
        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw Unreachable() }
        func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
            AsyncThrowingStream { continuation in
                for (number, body) in bodies.enumerated() {
                    let hasNext = endsEarly || number < bodies.count - 1
                    continuation.yield(NetworkResponse(body: Array(body.utf8), hasNext: hasNext))
                }
                continuation.finish()
            }
        }
    }

    @Test(arguments: [true, false]) func aTransportMayGiveSeveralAnswers(endsEarly: Bool) async throws {
        let network = Several(bodies: [Films.film("1", "one"), Films.film("1", "two")], endsEarly: endsEarly)
        let environment = RelayEnvironment(network: network)
        if endsEarly {
            await #expect(throws: Self.closedEarly(network.bodies)) {
                try await environment.fetch(Films.FilmQuery(id: "1"))
            }
        } else {
            #expect(try await environment.fetch(Films.FilmQuery(id: "1")).data?.film?.title == "two")
        }
        await #expect(throws: RelayError.noResponse) {
            try await RelayEnvironment(network: Several(bodies: [], endsEarly: true)).fetch(Films.FilmQuery(id: "1"))
        }
    }

    /// The environment throws one type; what another layer threw, and a cancelled task, are told apart by what it
    /// holds.
    @Test func anErrorKeepsWhatAnotherLayerThrew() async {
        struct Refused: Error {}
        struct Refusing: NetworkInterceptor {
            func intercept(
                _ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver
            ) async throws { throw Refused() }
        }
        let refusing = RelayEnvironment(network: Announcing().intercepted(by: Refusing()))
        let refusal = await #expect(throws: RelayError.self) { try await refusing.fetch(Films.FilmQuery(id: "1")) }
        #expect(refusal?.underlying is Refused)
        let stage = Stage()
        let task = Task { try await stage.environment.fetch(Films.FilmQuery(id: "1")) }
        await until { stage.network.waiting == 1 }
        task.cancel()
        let end = await #expect(throws: RelayError.self) { try await task.value }
        #expect(end == .cancelled && end?.underlying is CancellationError)
    }

    /// An error that tells what to do.
    struct Redirected: TransportError, CustomStringConvertible {
        var description: String { "redirected elsewhere" }
        var advice: String { "Use the other URL." }
    }

    @Test func anUnusableAnswerIsQuoted() async throws {
        let stage = Stage()
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let page = "<html>" + String(repeating: "x", count: 1000)
        for (body, beginning) in [
            (page, page.prefix(500)), ("[1]", "[1]"), (#"{"data":{"film":3}}"#, #"{"data":{"film":3}}"#),
        ] {
            _ = handle.get(id: "1", fetchKey: body)
            await stage.answer(body)
            guard case .invalidResponse(let error)? = handle.result.error?.reason else {
                Issue.record("not refused: \(body)")
                continue
            }
            #expect(error.body == beginning)
            #expect(handle.fetchError?.description.contains(" It said: \(beginning)") == !body.hasPrefix("{"))
        }
    }

    @Test(arguments: [
        (#"{"data":{"film":3},"errors":[{"message":"no"},"later"]}"#, ["no", "later"]),
        (#"{"errors":[{"message":"no"}],"extensions":{},"data":{"film":3}}"#, ["no"]),
        (#"{"data":{"film":3},"errors":{"message":"one"}}"#, ["one"]),
        (#"{"data":{"film":3},"errors":null}"#, []),
        (#"{"data":{"film":3},"errors":[{"message":"no"}]"#, []),
    ])
    func theMessagesBesideUnusableDataAreKept(body: String, messages: [String]) async throws {
        let stage = Stage()
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(body)
        guard case .invalidResponse(let error)? = handle.result.error?.reason else {
            Issue.record("not refused: \(body)")
            return
        }
        #expect(error.serverMessages == messages)
    }

    static func refused(with messages: [String]) -> RelayError.InvalidResponse {
        var error = RelayError.InvalidResponse(.unexpectedNull(expected: "Int!"), path: ["total"], offset: 17)
        error.serverMessages = messages
        return error
    }

    static let errors: [(RelayError, String)] = [
        (.transport(Unreachable()), "The request failed: no route to host."),
        (.transport(Redirected()), "The request got no response: redirected elsewhere. Use the other URL."),
        (
            .httpStatus(503, body: "busy"),
            "The server answered with HTTP status 503. Try again later. It said: busy"
        ),
        (
            .contentType("text/html", body: "<html>"),
            "The server answered with content of type 'text/html', not with JSON. "
                + "Check that the URL is that of a GraphQL endpoint. It said: <html>"
        ),
        (
            .invalidResponse(RelayError.InvalidResponse(.notAResponse)),
            "The response was not used: the response is not a GraphQL response: an object with 'data' or 'errors' was "
                + "expected. Check that the URL is that of a GraphQL endpoint."
        ),
        (
            .invalidResponse(
                RelayError.InvalidResponse(.notJSON("expected a value"), offset: 0).quoting(Array("<html>".utf8))),
            "The response was not used: the response is not JSON: expected a value at byte 0. Check that the URL is that of a "
                + "GraphQL endpoint, and that nothing on the way cuts or changes responses. It said: <html>"
        ),
        (
            .invalidResponse(
                RelayError.InvalidResponse(.unexpectedNull(expected: "Int!"), path: ["total"], offset: 17)),
            "The response was not used: expected Int!, found null at total (byte 17). Check that the client was generated "
                + "from the server's schema."
        ),
        (
            .invalidResponse(Self.refused(with: ["Not authorized", "Try again"])),
            "The response was not used: expected Int!, found null at total (byte 17). Check that the client was generated "
                + "from the server's schema. The server said: Not authorized; Try again"
        ),
        (
            .variableTooDeep(operationName: "Films", variable: "filter", limit: 256),
            "The variable 'filter' of 'Films' is nested deeper than 256 levels, so nothing was sent. Make it flatter."
        ),
        (.noData([GraphQLError(message: "down")]), "The server answered without data: down."),
        (.noResponse, "The connection ended before a response arrived. Try again."),
        (
            .missingNonNullField(path: ["film", "title"], component: "Strict"),
            "The response to 'Strict' has no value at 'film.title', which must not be null, so its updater was not called "
                + "and nothing was kept. Check that the client was generated from the server's schema."
        ),
        (
            .updater(Unreachable()),
            "The updater of the mutation failed, so its response was not kept: no route to host."
        ),
        (.cancelled, "The request was cancelled before it had a response."),
        (
            .foreignReference(fragment: "Row"),
            "The reference to 'Row' comes from another environment, or from one that is gone. Read it with the "
                + "environment that fetched it, and keep that."
        ),
        (
            .missingRequiredField(path: ["a", 0, "b"], component: "Row"),
            "missing @required value at path 'a.0.b' in 'Row'. Drop @required, or catch it above with @catch."
        ),
        (
            .fieldErrors([
                {
                    var error = FieldError(.missingData, path: ["b"], component: "Row")
                    error.isCaught = true
                    return error
                }()
            ]),
            "missing data at path 'b' in 'Row'. '@catch(to: RESULT)' puts all of them into 'fieldErrors' in place of the "
                + "data. To have the data around them, catch them further inside."
        ),
        (
            .fieldErrors([FieldError(.missingData, path: ["a"], component: "Row")]),
            "missing data at path 'a' in 'Row'. Catch it with @catch, or drop @throwOnFieldError."
        ),
    ]

    @Test(arguments: errors.indices) func errorsSayWhatHappenedAndAreEqualToThemselvesOnly(_ index: Int) {
        let (error, text) = Self.errors[index]
        #expect(error.description == text)
        #expect(error.localizedDescription == text)
        for (other, pair) in Self.errors.enumerated() { #expect((pair.0 == error) == (other == index)) }
        struct Other: Error {}
        #expect(RelayError.transport(Other()) != .transport(Unreachable()))
    }
}
