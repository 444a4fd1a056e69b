import Baton
import BatonTesting
import Testing

/// The errors for bad answers, in handles and one-shot fetches with generated code.
@Suite(.timeLimit(.minutes(20))) struct BadAnswerTests {
    let network = CannedNetwork(BadAnswer.matrix)
    let environment: RelayEnvironment

    // Fields of the films have an age limit, and a test may wait for its turn.
    init() { environment = RelayEnvironment(network: network, clock: ManualClock(), log: { _ in }) }

    /// Fills the store with the good answers.
    private func seed() async throws {
        network.answer(BadAnswer.matrix)
        _ = try await environment.fetch(MatrixQuery())
        network.answer(BadAnswer.films)
        _ = try await environment.fetch(FilmsQuery())
        network.answer(BadAnswer.search)
        _ = try await environment.fetch(SearchQuery(text: "x"))
    }

    private func failure<Query: GraphQLQuery>(of query: Query) async -> RelayError?
    where Query.ResponseFormat == GeneratedCode.SingleResponse {
        do {
            let response = try await environment.fetch(query)
            Issue.record("no failure: \(String(describing: response.data)), \(response.errors)")
            return nil
        } catch {
            return error
        }
    }

    private func check<Query: GraphQLQuery>(_ query: Query, _ bad: BadAnswer) async throws
    where Query.ResponseFormat == GeneratedCode.SingleResponse {
        try await seed()
        let (before, epoch) = (environment.store.dump(), environment.store.epoch)
        network.answer(bytes: bad.body)

        let error = await failure(of: query)
        guard case .invalidResponse(let response)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.reason == bad.reason)
        if case .tooDeep = bad.reason {
            // The path ends at the depth limit.
            #expect(Array(response.path.prefix(bad.path.count)) == bad.path)
            #expect(response.path.count <= 256)
        } else {
            #expect(response.path == bad.path)
        }

        let onlyNetwork = QueryHandle<Query>(in: environment)
        #expect(onlyNetwork.get(query.variables).isLoading)
        await settle(environment)
        #expect(onlyNetwork.get(query.variables).error == error)
        let both = QueryHandle<Query>(in: environment, fetchPolicy: .storeAndNetwork)
        let shown = both.get(query.variables)
        await settle(environment)
        #expect(shown.data != nil && both.get(query.variables) == shown)
        #expect(both.fetchError == error)

        #expect(environment.store.dump() == before)
        #expect(environment.store.epoch == epoch)

        network.answer(BadAnswer.good(bad.question))
        onlyNetwork.retry()
        await settle(environment)
        #expect(onlyNetwork.get(query.variables) == shown, "a good answer is welcome afterwards")
    }

    @Test(arguments: BadAnswer.all) func aBadAnswerIsATypedFailureAndLeavesTheStoreAsItWas(_ bad: BadAnswer)
        async throws
    {
        switch bad.question {
        case .matrix: try await check(MatrixQuery(), bad)
        case .films: try await check(FilmsQuery(), bad)
        case .search: try await check(SearchQuery(text: "x"), bad)
        }
    }

    @Test(arguments: [BadAnswer.Question.matrix, .films, .search])
    func anAnswerThatIsCutAnywhereIsNoJSON(_ question: BadAnswer.Question) async throws {
        try await seed()
        let (before, epoch) = (environment.store.dump(), environment.store.epoch)
        let body = Array(BadAnswer.good(question).utf8)
        for end in body.indices {
            network.answer(bytes: Array(body[..<end]))
            let error =
                switch question {
                case .matrix: await failure(of: MatrixQuery())
                case .films: await failure(of: FilmsQuery())
                case .search: await failure(of: SearchQuery(text: "x"))
                }
            guard case .invalidResponse(let response)? = error?.reason, case .notJSON = response.reason else {
                Issue.record("\(end) bytes: \(String(describing: error))")
                return
            }
            #expect(response.offset <= end)
        }
        #expect(environment.store.dump() == before)
        #expect(environment.store.epoch == epoch)
    }

    /// Bodies that contain only errors, and the errors that are read from them.
    static let errors: [(String, [GraphQLError])] = [
        (#"{"errors":[{"message":"m"}]}"#, [GraphQLError(message: "m")]),
        (#"{"data":null,"errors":"down"}"#, [GraphQLError(message: "down")]),
        (#"{"errors":{"message":"m","extensions":{"code":1}}}"#, [GraphQLError(message: "m", extensions: ["code": 1])]),
        (#"{"errors":{}}"#, [GraphQLError(message: "{}")]),
        (#"{"errors":[null]}"#, [GraphQLError(message: "null")]),
        (#"{"errors":[5,"x"]}"#, [GraphQLError(message: "5"), GraphQLError(message: "x")]),
        (#"{"errors":[{"message":5}]}"#, [GraphQLError(message: #"{"message":5}"#)]),
        (#"{"errors":[{"message":"m","path":"x","locations":{}}]}"#, [GraphQLError(message: "m", path: ["x"])]),
        (
            #"{"errors":[{"message":"m","path":["a",1,null],"locations":[{"line":1},{"line":2,"column":3},5]}]}"#,
            [GraphQLError(message: "m", path: ["a", 1, "null"], locations: [.init(line: 2, column: 3)])]
        ),
        (#"{"error":"alone"}"#, [GraphQLError(message: "alone")]),
        (#"{"errors":[{"message":"late"}],"data":null,"extensions":null}"#, [GraphQLError(message: "late")]),
    ]

    @Test(arguments: errors) func errorsInOddShapesAreKept(_ body: String, _ errors: [GraphQLError]) async throws {
        try await seed()
        let before = environment.store.dump()
        network.answer(body)
        let response = try await environment.fetch(MatrixQuery())
        #expect(response.data == nil)
        #expect(response.errors == errors)
        let handle = QueryHandle<MatrixQuery>(in: environment)
        _ = handle.get()
        await settle(environment)
        #expect(handle.get() == .failure(.noData(errors)))
        #expect(handle.errors == errors)
        #expect(environment.store.dump() == before)
    }

    /// Unusual but valid answers, with the values that are read from them.
    static let unusual: [(String, Int, String)] = [
        (BadAnswer.matrix.replacing(#""int":1"#, with: #""int":1.0"#), 1, "n"),
        (BadAnswer.matrix.replacing(#""int":1"#, with: #""int":1e2"#), 100, "n"),
        (BadAnswer.matrix.replacing(#""int":1"#, with: #""int":9223372036854775807"#), .max, "n"),
        (BadAnswer.matrix.replacing(#""int":1"#, with: #""int":-9223372036854775808"#), .min, "n"),
        (BadAnswer.matrix.replacing(#""int":1"#, with: #""int":1,"int":2"#), 2, "n"),
        (BadAnswer.matrix.replacing(#""id":"n""#, with: #""id":"n","id":"other""#), 1, "other"),
        (BadAnswer.matrix.replacing(#""id":"n""#, with: #""id":12"#), 1, "12"),
        (BadAnswer.matrix.replacing(#""int":1"#, with: #""\u0069nt":1,"new":[{"a":[{}]}]"#), 1, "n"),
        (BadAnswer.matrix.replacing(#""numbers":"#, with: #""numbers":{"id":"n","int":3},"numbers":"#), 1, "n"),
        (BadAnswer.matrix.replacing(#"{"data""#, with: #"{"data":{"numbers":{"id":"n","int":3}},"data""#), 1, "n"),
        (BadAnswer.matrix.replacing(#"{"data""#, with: #"{"data":null,"errors":null,"data""#), 1, "n"),
    ]

    @Test(arguments: unusual) func oddButValidAnswersAreRead(_ body: String, int: Int, id: String) async throws {
        network.answer(body)
        let data = try await environment.fetch(MatrixQuery()).data
        #expect(data?.numbers.int == int)
        #expect(data?.numbers.id == id)
        #expect(data?.matrix == [[1, 2], []])
    }

    @Test func valuesOfANewerSchemaAreRead() async throws {
        network.answer(
            BadAnswer.films.replacing("NEW_HOPE", with: "HOLIDAY_SPECIAL").replacing("Human", with: "Ewok"))
        let film = try #require(try await environment.fetch(FilmsQuery()).data?.films?.first)
        let row = try #require(environment.read(film.fragments.film))
        #expect(row.episode == .unknown("HOLIDAY_SPECIAL"))
        #expect(row.film.first?.__typename == "Ewok")
    }

    @Test func anAnswerWithoutAFieldIsMissingData() async throws {
        network.answer(#"{"data":{"matrix":[]}}"#)
        let response = try await environment.fetch(MatrixQuery())
        #expect(response.data == nil && response.errors.isEmpty)
        let handle = QueryHandle<MatrixQuery>(in: environment)
        _ = handle.get()
        await settle(environment)
        #expect(handle.get() == .success(nil))
        #expect(handle.isMissingData)
    }
}
