import Testing

@testable import Baton

/// The guarantees of `MutationHandle`, by name.
@Suite(.timeLimit(.minutes(20))) struct MutationHandleTests {
    typealias Mutation = Films.SetFavouriteMutation

    let stage = Stage()
    let handle: MutationHandle<Mutation>

    init() { handle = MutationHandle(in: stage.environment) }

    private func mutation(_ id: String, _ favourite: Bool = true) -> Mutation {
        Mutation(variables: .init(id: id, favourite: favourite))
    }

    private func begin(_ id: String, serial: String? = nil) async -> Task<GraphQLResponse<Mutation>, any Error> {
        let count = stage.network.sent.count
        let task = Task { [handle, mutation = mutation(id)] in try await handle.commit(mutation, serial: serial) }
        await until { [network = stage.network] in network.sent.count > count }
        return task
    }

    @Test("A commit is in flight until its response has arrived, which the handle then shows.")
    func inFlight() async throws {
        #expect(!handle.isFetching)
        #expect(handle.result == .loading)
        let task = await begin("1")
        #expect(handle.isFetching)
        stage.network.answer(Films.favourite("1", true))
        let response = try await task.value
        #expect(!handle.isFetching)
        #expect(handle.result.data?.setFavourite?.film?.id == "1")
        #expect(handle.response?.data == response.data)
    }

    @Test func theOutcomeIsShownWhenSettledReturns() async throws {
        for number in 0..<300 {
            let task = await begin("\(number)")
            async let open = stage.environment.settled()
            stage.network.answer(Films.favourite("\(number)", true))
            #expect(await open.isEmpty)
            #expect(!handle.isFetching)
            _ = try await task.value
        }
    }

    @Test("A failure is thrown and shown.")
    func failure() async {
        let task = await begin("1")
        stage.network.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await task.value }
        #expect(handle.result == .failure(.transport(Unreachable())))
        #expect(!handle.isFetching)
        #expect(handle.response == nil)
    }

    @Test("A response with errors and no data is shown as a failure, and `commit` returns it.")
    func noData() async throws {
        let task = await begin("1")
        stage.network.answer(#"{"data":null,"errors":[{"message":"denied"}]}"#)
        let response = try await task.value
        #expect(response.data == nil && response.errors.map(\.message) == ["denied"])
        #expect(handle.result == .failure(.noData(response.errors)))
        #expect(handle.response == response)
    }

    @Test("The `result` of the response is what the handle shows, and what `commit` of the environment returns too.")
    func oneMeaning() async throws {
        let bodies = [
            #"{"data":null,"errors":[{"message":"denied"}]}"#, #"{"data":null}"#,
            #"{"data":{"setFavourite":null},"errors":[{"message":"partly","path":["setFavourite"]}]}"#,
            Films.favourite("1", true),
        ]
        for body in bodies {
            let task = await begin("1")
            stage.network.answer(body)
            let response = try await task.value
            async let other = stage.environment.commit(mutation("1"))
            await until { [network = stage.network] in network.waiting == 1 }
            stage.network.answer(body)
            #expect(try await other == response && handle.response == response)
            #expect(try await other.result == handle.result && response.result == handle.result)
        }
    }

    @Test("After a reset nothing is shown.")
    func reset() async throws {
        let task = await begin("1")
        stage.network.answer(Films.favourite("1", true))
        _ = try await task.value
        let inFlight = await begin("2")
        stage.environment.reset()
        #expect(handle.result == .loading && handle.response == nil)
        await #expect(throws: RelayError.cancelled) { try await inFlight.value }
        #expect(!handle.isFetching && handle.result == .loading)
        let next = await begin("3")
        stage.network.answer(Films.favourite("3", true))
        _ = try await next.value
        #expect(handle.result.data?.setFavourite?.film?.id == "3")
    }

    /// The store is emptied while the response is on its way from the store to the handle.
    @Test("A commit that began before a reset ends as cancelled, which is not shown.")
    func lastSession() async throws {
        for number in 0..<300 {
            let stage = Stage()
            let handle = MutationHandle<Mutation>(in: stage.environment)
            let task = Task { [mutation = mutation("1")] in try await handle.commit(mutation) }
            await until { [network = stage.network] in network.sent.count == 1 }
            let resetting = Task.detached { [environment = stage.environment] in
                for _ in 0..<number { await Task.yield() }
                environment.reset()
                return handle.response == nil
            }
            stage.network.answer(Films.favourite("1", true))
            #expect(await resetting.value)
            _ = try? await task.value
            #expect(handle.response == nil)
            #expect(handle.result.data == nil)
        }
    }

    @Test("Of the commits that have ended, the result of the one that began last is shown.")
    func outcome() async throws {
        let first = await begin("1")
        let second = await begin("2")
        stage.network.answerNewest(Films.favourite("2", true))
        _ = try await second.value
        #expect(handle.isFetching)
        #expect(handle.result.data?.setFavourite?.film?.id == "2")
        stage.network.answer(Films.favourite("1", true))
        _ = try await first.value
        #expect(!handle.isFetching)
        #expect(handle.result.data?.setFavourite?.film?.id == "2")
    }

    @Test("Observers are told of the begin and of the end of a commit.")
    func observers() async throws {
        let states = Guarded<[Bool]>([])
        actor Observer {}
        let observer = Observer()
        let token = handle.observe(on: observer) { [handle] _, _ in
            let isFetching = handle.isFetching
            states.withLock { $0.append(isFetching) }
        }
        await until { states.withLock { $0 } == [false] }
        let task = await begin("1")
        await until { states.withLock { $0 } == [false, true] }
        stage.network.answer(Films.favourite("1", true))
        _ = try await task.value
        await until { states.withLock { $0 } == [false, true, false] }
        token.cancel()
    }

    @Test("`cancel()` ends every commit that is in flight, and reverts its optimistic change.")
    func cancel() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let query = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = query.get(id: "1")
        let task = Task { [handle, mutation = mutation("1")] in
            try await handle.commit(
                mutation, optimistic: .update { try $0.get("1")?.setValue("expected", forField: "title") })
        }
        await until { [network = stage.network] in network.waiting == 1 }
        #expect(query.result.data?.film?.title == "expected")
        handle.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        #expect(query.result.data?.film?.title == "one")
        #expect(handle.result == .failure(.cancelled))
        #expect(!handle.isFetching)
    }

    @Test("A commit goes on when the handle ends.")
    func withoutHandle() async throws {
        var handle: MutationHandle<Mutation>? = MutationHandle(in: stage.environment)
        let core = try #require(handle?.core)
        let task = Task { [mutation = mutation("1")] in try await core.commit(mutation, nil, nil, nil) }
        await until { [network = stage.network] in network.waiting == 1 }
        handle = nil
        stage.network.answer(Films.favourite("1", true))
        #expect(try await task.value.data?.setFavourite?.film?.favourite == true)
    }

    // MARK: - Queues

    @Test("Commits with one `serial` key are sent one after the other.")
    func queue() async throws {
        let first = await begin("1", serial: "favourites")
        let others = (2...4).map { number in
            Task { [handle, mutation = mutation("\(number)")] in
                try await handle.commit(mutation, serial: "favourites")
            }
        }
        let free = await begin("5", serial: "others")
        for _ in 0..<100 { await Task.yield() }
        #expect(stage.network.sent.count == 2)
        stage.network.fail()
        await #expect(throws: RelayError.self) { try await first.value }
        var sent: [String] = []
        for number in 0..<3 {
            await until { [network = stage.network] in network.sent.count == 3 + number }
            let request = try #require(stage.network.sent.last)
            sent.append(request.variables.first { $0.name == "id" }.map { "\($0.value)" } ?? "")
            stage.network.answerNewest(Films.favourite("9", true))
        }
        #expect(Set(sent).count == 3)
        for other in others { _ = try await other.value }
        stage.network.answer(Films.favourite("5", true))
        _ = try await free.value
    }

    @Test("A commit that waits in a queue shows its optimistic change at once.")
    func queued() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let query = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = query.get(id: "1")
        let first = await begin("1", serial: "q")
        let sent = stage.network.sent.count
        let queued = Task { [handle, mutation = mutation("1")] in
            try await handle.commit(
                mutation, optimistic: .update { try $0.get("1")?.setValue("expected", forField: "title") },
                serial: "q")
        }
        await until { query.result.data?.film?.title == "expected" }
        #expect(stage.network.sent.count == sent)
        queued.cancel()
        await #expect(throws: RelayError.cancelled) { try await queued.value }
        #expect(query.result.data?.film?.title == "one")
        stage.network.answer(Films.favourite("1", true))
        _ = try await first.value
        let next = await begin("1", serial: "q")
        stage.network.answer(Films.favourite("1", true))
        _ = try await next.value
        #expect(stage.network.sent.count == sent + 1)
    }

    @Test(arguments: [nil, "q"]) func aCommitThatWasStoppedIsNotSent(_ serial: String?) async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let sent = stage.network.sent.count
        let stop = CommitStop()
        stop.stop()
        await #expect(throws: RelayError.cancelled) {
            try await stage.environment.commit(
                mutation("1"), .update { try $0.get("1")?.setValue("expected", forField: "title") }, serial,
                RequestConfiguration(), nil, stop)
        }
        await stage.settle()
        #expect(stage.network.sent.count == sent && stage.log.fetches.last == "finished", "no request began")
        let title = try stage.environment.update { $0.get("1")?.value(forField: "title") }
        #expect(title == .string("one"))
        let next = await begin("1", serial: "q")
        stage.network.answer(Films.favourite("1", true))
        _ = try await next.value
    }

    @Test("A commit that waits in a queue is not sent after a reset.")
    func queueAfterReset() async throws {
        let first = await begin("1", serial: "q")
        let queued = Task { [handle, mutation = mutation("2")] in try await handle.commit(mutation, serial: "q") }
        await until { [handle] in handle.core.environment.serials.count(in: "q") == 1 }
        stage.environment.reset()
        await #expect(throws: RelayError.cancelled) { try await first.value }
        await #expect(throws: RelayError.cancelled) { try await queued.value }
        #expect(stage.network.sent.count == 1)
    }

    // MARK: - Configurations

    @Test("The configuration of a commit takes the place of that of the handle.")
    func configuration() async throws {
        let handle = MutationHandle<Mutation>(
            in: stage.environment, configuration: RequestConfiguration(headers: ["A": "handle"]))
        let tasks = [nil, RequestConfiguration(timeout: .seconds(9_000), headers: ["B": "commit"])].map {
            configuration in
            Task { [mutation = mutation("1")] in try await handle.commit(mutation, configuration: configuration) }
        }
        await until { [network = stage.network] in network.waiting == 2 }
        #expect(Set(stage.network.sent.map(\.configuration.headers)) == [["A": "handle"], ["B": "commit"]])
        #expect(Set(stage.network.sent.map(\.configuration.timeout)) == [nil, .seconds(9_000)])
        for _ in tasks { stage.network.answer(Films.favourite("1", true)) }
        for task in tasks { _ = try await task.value }
        await #expect(throws: RelayError.self) {
            try await handle.commit(mutation("1"), configuration: RequestConfiguration(writeResultsToStore: false))
        }
        #expect(stage.network.sent.count == 2)
    }

    @Test("The files of a commit go with its request.")
    func uploads() async throws {
        let uploads = (1...2).map { number in
            Upload(variable: "file", fileName: "\(number).png", contentType: "image/png", content: .bytes([1, 2, 3]))
        }
        for (number, upload) in uploads.enumerated() {
            let task = Task { [handle, mutation = mutation("1")] in
                try await handle.commit(mutation, configuration: RequestConfiguration(uploads: [upload]))
            }
            await until { [network = stage.network] in network.sent.count == number + 1 }
            #expect(stage.network.sent.last?.configuration.uploads == [upload])
            stage.network.answer(Films.favourite("1", true))
            _ = try await task.value
        }
    }

    @Test("Each commit has an idempotency key of its own.")
    func idempotency() async throws {
        let handle = MutationHandle<Mutation>(
            in: stage.environment, configuration: RequestConfiguration(idempotencyKey: "same"))
        for configuration in [nil, nil, RequestConfiguration(idempotencyKey: "chosen")] {
            let count = stage.network.sent.count
            let task = Task { [mutation = mutation("1")] in
                try await handle.commit(mutation, configuration: configuration)
            }
            await until { [network = stage.network] in network.sent.count > count }
            stage.network.answer(Films.favourite("1", true))
            _ = try await task.value
        }
        let keys = stage.network.sent.compactMap(\.idempotencyKey)
        #expect(Set(keys).count == 3 && keys.last == "chosen" && !keys.contains("same"))
    }

    // MARK: - The machine

    @Test func anyOrderOfEndsShowsTheLastBegunOfThoseThatEnded() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var machine = MutationMachine<Int>()
            var open: [Int] = []
            var ended: [Int] = []
            for _ in 0..<20 {
                if open.isEmpty || Bool.random(using: &generator) {
                    for case .caller(.tell(.begun(let number))) in machine.handle(.began(CommitStop(), generation: 0))
                        .all
                    {
                        open.append(number)
                    }
                } else {
                    let number = open.remove(at: Int.random(in: 0..<open.count, using: &generator))
                    let effects = machine.handle(.ended(number, number, .data(nil)))
                    #expect(effects.all.count == 4)
                    ended.append(number)
                }
                #expect(machine.isFetching == !open.isEmpty)
                #expect(machine.response == ended.max())
            }
        }
    }
}
