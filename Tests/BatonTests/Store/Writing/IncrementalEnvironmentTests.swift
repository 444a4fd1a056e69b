import Testing

@testable import Baton

/// Answers in parts, as handles and callers see them.
@Suite(.timeLimit(.minutes(20))) struct IncrementalEnvironmentTests {
    let network = PartsNetwork()
    let environment: RelayEnvironment

    init() {
        environment = RelayEnvironment(network: network)
    }

    private func wait(_ isDone: () -> Bool) async {
        while !isDone() { await Task.yield() }
    }

    /// Makes a handle and gives its request the first payload.
    private func begin(_ policy: FetchPolicy = .networkOnly) async throws -> QueryHandle<Parts.PartsQuery> {
        let handle = QueryHandle<Parts.PartsQuery>(in: environment, fetchPolicy: policy)
        _ = handle.get(.init())
        await wait { network.sent == 1 }
        network.give(Parts.first)
        await wait { handle.result.data != nil }
        return handle
    }

    @Test func aHandleShowsTheBeginningAndFragmentsLoad() async throws {
        let handle = try await begin()
        let user = try #require(handle.result.data?.user)
        #expect(user.name == "Ann" && user.friends?.count == 1)
        #expect(!handle.isMissingData && handle.isFetching)
        #expect(handle.result.data?.later?.b == nil)
        let slow = FragmentHandle(user.slow, in: environment)
        let row = FragmentHandle(try #require(user.friends?[0]?.row), in: environment)
        #expect(slow.get() == .loading && row.get() == .loading)

        network.give(Parts.slow)
        await wait { slow.get().data != nil }
        #expect(slow.get().data?.best?.name == "Zoe")
        #expect(row.get() == .loading, "another part")
        network.give(
            #"{"incremental":[{"label":"Q$stream$friends","path":["user","friends",1],"items":[{"id":"3","name":"Cy"}]},{"label":"Q$stream$tags","path":["tags",1],"items":[2,3]}],"hasNext":true}"#
        )
        await wait { handle.result.data?.user?.friends?.count == 2 }
        #expect(handle.result.data?.tags == [1, 2, 3])
        network.give(
            #"{"incremental":[{"label":"Q$defer$Profile","path":[],"data":{"profile":{"b":4,"inner":null}}},{"label":"Q$defer$Row","path":["user","friends",0],"data":{"email":"b@x"}},{"label":"Q$defer$Row","path":["user","friends",1],"data":{"email":"c@x"}}],"hasNext":false}"#,
            hasNext: true)
        await wait { !handle.isFetching }
        #expect(row.get().data?.email == "b@x")
        #expect(handle.result.data?.later?.b == 4)
        #expect(environment.check(environment.store.bind(Parts.PartsQuery())).isAvailable)
    }

    /// An operation is not incomplete while its parts are on their way; it is incomplete once the request has ended
    /// without them.
    @Test(arguments: [true, false]) func partsThatNeverCameAreMissing(isFailure: Bool) async throws {
        let handle = try await begin()
        let slow = FragmentHandle(try #require(handle.result.data?.user?.slow), in: environment)
        #expect(slow.get() == .loading)
        let operation = environment.store.bind(Parts.PartsQuery())
        #expect(environment.check(operation).isAvailable)
        let other = QueryHandle<Parts.PartsQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(other.get(.init()).data?.user?.name == "Ann")
        #expect(!other.isFetching && network.sent == 1)

        network.end(isFailure ? Unreachable() : nil)
        await wait { !handle.isFetching && slow.get() != .loading }
        #expect(!environment.check(operation).isComplete)
        #expect(handle.result.data?.user?.name == "Ann", "what has come stays on show")
        #expect(slow.isMissingData)
        switch handle.fetchError?.reason {
        case .transport(is Unreachable): #expect(isFailure)
        case .transport(RelayError.StreamError.closedEarly(responses: 1, _)): #expect(!isFailure)
        case let error: Issue.record("\(String(describing: error))")
        }
        let third = QueryHandle<Parts.PartsQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(third.get(.init()) == .loading)
        await wait { network.sent == 2 }
    }

    @Test func aMalformedPartFailsTheRequestAndKeepsWhatHasCome() async throws {
        let handle = try await begin()
        let before = environment.store.dump()
        network.give(#"{"label":"Q$defer$Slow","path":["user"],"data":{"email":7}}"#)
        await wait { !handle.isFetching }
        guard case .invalidResponse(let error)? = handle.fetchError?.reason else {
            Issue.record("\(String(describing: handle.fetchError))")
            return
        }
        #expect(error.path == ["user"])
        #expect(environment.store.dump() == before)
        #expect(handle.result.data?.user?.name == "Ann")
    }

    @Test func anEarlyPartShowsNothingUntilTheBeginningComes() async throws {
        let handle = QueryHandle<Parts.PartsQuery>(in: environment)
        _ = handle.get(.init())
        await wait { network.sent == 1 }
        network.give(Parts.slow)
        network.give(Parts.first, hasNext: false)
        await wait { !handle.isFetching }
        let user = try #require(handle.result.data?.user)
        #expect(environment.read(user.slow)?.best?.name == "Zoe")
        #expect(handle.fetchError == nil)
    }

    @Test func aPartWithoutABeginningIsAFailure() async throws {
        let handle = QueryHandle<Parts.PartsQuery>(in: environment)
        _ = handle.get(.init())
        await wait { network.sent == 1 }
        network.give(Parts.slow, hasNext: false)
        await wait { !handle.isFetching }
        #expect(handle.result.error != nil && handle.result.data == nil)
    }

    /// Announcements are no response, so that nobody may wait for more than they promise.
    @Test(arguments: [
        #"{"pending":[{"id":"0","path":[]}],"hasNext":false}"#, #"{"pending":[{"id":"0","path":[]}]}"#,
    ])
    func announcementsAloneAreAFailure(_ announcement: String) async throws {
        let handle = QueryHandle<Parts.PartsQuery>(in: environment)
        let whole = Task { [environment] in
            for try await _ in environment.fetchStream(Parts.PartsQuery(), policy: .storeAndNetwork) {}
        }
        await wait { network.sent == 1 }
        _ = handle.get(.init())
        network.give(announcement, hasNext: false)
        await wait { !handle.isFetching }
        #expect(handle.result.error != nil && handle.result.data == nil)
        await #expect(throws: RelayError.self) { try await whole.value }
        #expect(await environment.settled(timeout: .seconds(20)).isEmpty)
    }

    @Test func announcementsAndThenTheEndAreAFailure() async throws {
        let handle = QueryHandle<Parts.PartsQuery>(in: environment)
        _ = handle.get(.init())
        await wait { network.sent == 1 }
        network.give(#"{"pending":[{"id":"0","path":[]}],"hasNext":true}"#)
        network.end()
        await wait { !handle.isFetching }
        #expect(handle.result.error != nil && handle.result.data == nil)
    }

    /// A server that has no data has nothing to send later, and says so.
    @Test func theErrorsOfABeginningWithoutDataStay() async throws {
        let handle = QueryHandle<Parts.PartsQuery>(in: environment)
        _ = handle.get(.init())
        await wait { network.sent == 1 }
        network.give(#"{"data":null,"errors":[{"message":"denied"}],"hasNext":true}"#)
        network.give(#"{"hasNext":false}"#, hasNext: false)
        await wait { !handle.isFetching }
        #expect(handle.result == .failure(.noData([GraphQLError(message: "denied")])))
    }

    /// Each response shows all items so far, and shares all but the newest with the response before. Counts the shelves
    /// in all responses, which was the work that grew with the square of the length.
    @Test func aPartCostsAsMuchAsTheOneBefore() async throws {
        var shelves: [Int] = []
        for count in [600, 1_200] {
            let network = PartsNetwork()
            let environment = RelayEnvironment(network: network)
            let stream = environment.fetchStream(Parts.PartsQuery())
            await wait { network.sent == 1 }
            network.give(Parts.first)
            for index in 1..<count {
                let item = #"{"id":"f\#(index)","name":"n\#(index)"}"#
                network.give(
                    #"{"incremental":[{"label":"Q$stream$friends","path":["user","friends",\#(index)],"items":[\#(item)]}],"#
                        + #""hasNext":\#(index + 1 < count)}"#, hasNext: index + 1 < count)
            }
            var responses: [GraphQLResponse<Parts.PartsQuery>] = []
            for try await response in stream { responses.append(response) }
            #expect(responses.map { $0.data?.user?.friends?.count } == Array(1...count))
            #expect(responses[count / 2].data?.user?.friends?.last??.name == "n\(count / 2)")
            var seen: Set<ObjectIdentifier> = []
            for response in responses {
                response.content.row?.shelf.forEachPart { seen.insert(ObjectIdentifier($0)) }
            }
            shelves.append(seen.count)
        }
        #expect(shelves[1] < shelves[0] * 9 / 4, "\(shelves)")
    }

    @Test("A query whose response comes in parts gives a response for each part.")
    func fetchGivesAResponseForEachPayload() async throws {
        let query = Parts.PartsQuery()
        let stream = environment.fetchStream(query, policy: .storeAndNetwork)
        await wait { network.sent == 1 }
        network.give(Parts.first)
        network.give(
            #"{"label":"Q$stream$tags","path":["tags",1],"items":[2],"errors":[{"message":"slow"}],"extensions":{"cost":1},"hasNext":true}"#
        )
        network.give(Parts.slow, hasNext: false)
        var responses: [GraphQLResponse<Parts.PartsQuery>] = []
        for try await response in stream { responses.append(response) }
        #expect(responses.count == 3)
        #expect(responses.map { $0.errors.count } == [0, 1, 1])
        #expect(responses.last?.extensions == ["cost": 1])
        #expect(responses.map { $0.json["data"]?["tags"] } == [[1], [1, 2], [1, 2]])
        #expect(responses.map { $0.json["data"]?["user"]?["email"] } == [nil, nil, "a@x"])
        #expect(responses.last?.json["errors"] == [["message": "slow"]])
        #expect(responses.last?.json["hasNext"] == nil && responses.last?.json["label"] == nil)
        let slow = try #require(responses.last?.data?.user?.slow)
        #expect(responses.last?.read(slow)?.best?.name == "Zoe")

        let task = Task { [environment] in try await environment.fetch(query) }
        await wait { network.sent == 2 }
        network.give(Parts.first)
        network.give(Parts.slow, hasNext: false)
        #expect(try await task.value.json["data"]?["user"]?["email"] == "a@x", "one response has all parts")
    }

    /// A handle that joins the request while parts are on their way shows the landed parts at once.
    @Test func aRequestIsSharedWithWhatHasCome() async throws {
        let handle = try await begin()
        let late = QueryHandle<Parts.PartsQuery>(in: environment)
        #expect(late.get(.init()) == .loading || late.result.data != nil)
        #expect(late.result.data?.user?.name == "Ann" && late.isFetching && network.sent == 1)
        network.give(#"{"hasNext":false}"#)
        await wait { !late.isFetching && !handle.isFetching }
        #expect(late.fetchError == nil)
    }

    /// Plans and parts of the greatest depth can be read on a task's own stack.
    @Test func deepPlansHaveDeepParts() async throws {
        let depth = 190
        let open = String(repeating: "a:T{", count: depth)
        let plan = "{" + open + "b:Int <>@defer(\"d\"){c:Int}" + String(repeating: "}", count: depth) + "}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Deep", kind: .query, text: "", normalization: plan, reader: "{}")
        let task = Task.detached {
            let store = Store()
            let operation = store.bind(artifact, variables: .object([]))
            var delivery = try #require(IncrementalDelivery(operation))
            let objects = String(repeating: #"{"a":"#, count: depth)
            let ends = String(repeating: "}", count: depth)
            for json in [
                #"{"data":\#(objects){"b":1}\#(ends)}"#,
                #"{"label":"d","path":[\#(Array(repeating: "\"a\"", count: depth).joined(separator: ","))],"data":{"c":2}}"#,
            ] {
                store.publish(try store.normalize(Array(json.utf8), into: &delivery).response, for: operation)
            }
            _ = ResponseJSON.value(of: delivery.bodies, streams: [])
            return store.dump()
        }
        #expect(try await task.value.contains(".c = 2"))
    }
}
