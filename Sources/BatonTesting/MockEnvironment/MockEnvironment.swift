public import Baton

/// An environment for a test or a preview, with a network that the test answers, a clock that it moves, and a log that
/// it asks.
///
///     let mock = MockEnvironment(world: world)
///     let film = QueryHandle<FilmQuery>(in: mock.environment)
///     _ = film.get(id: "Film:1")
///     try await mock.resolve(FilmQuery.self)                      // with the data of the world
///     try mock.expectFetched(FilmQuery.self, variables: ["id": "Film:1"])
///     #expect(film.result.data?.film?.title == "The Silver Bridge")
///
/// A request gets the next answer that was queued for its operation (``queue(_:for:times:)``), or else the answer for
/// all operations (``answerAll(with:)``). Without either, it waits in ``pending``. Refetches and further pages are
/// requests like any other. Every method may be called from any thread.
///
/// An expectation throws a ``MockFailure`` that tells what was seen instead.
public final class MockEnvironment: Sendable {
    /// The environment of the components under test.
    public let environment: RelayEnvironment
    /// The clock of the environment, on which answers are delayed.
    public let clock = ManualClock()
    /// The world that gives data; nil if the test gives all of it.
    public let world: World?
    let answers: MockAnswers
    let seen = SeenEvents()
    let loaded = LoadedQueries()

    /// The environment of the running test, which the trait `.mockEnvironment` of `BatonTestingTraits` makes.
    @TaskLocal public static var current: MockEnvironment?

    /// Makes an environment with an empty store.
    ///
    /// - Parameters:
    ///   - world: The world that gives data where the test does not.
    ///   - options: The options of the store.
    ///   - dataID: Chooses the identity of objects where the rule of `DataID` does not apply.
    public init(world: World? = nil, options: StoreOptions = StoreOptions(), dataID: DataID.Function? = nil) {
        self.world = world
        answers = MockAnswers(world: world, clock: clock)
        environment = RelayEnvironment(
            network: answers, options: options, clock: clock, log: { [seen] in seen.note($0) }, dataID: dataID)
    }

    // MARK: - Answers in advance

    /// Gives an answer to the requests of an operation that come: to the next one, to several, or to all (`times` is
    /// nil). Answers are used in the order in which they were queued.
    public func queue<Operation: GraphQLOperation>(
        _ answer: MockAnswer, for operation: Operation.Type, times: Int? = 1
    ) {
        answers.queue(answer, for: operation.artifact.name, times: times)
    }

    /// Gives an answer to all requests that come and have no queued answer; nil lets them wait for the test.
    public func answerAll(with answer: MockAnswer?) { answers.setAnswerForOthers(answer) }

    // MARK: - Waiting requests

    /// The requests that wait for the test, oldest first. Those that are to get no answer are not among them.
    public var pending: [MockRequest] { answers.network.pending.filter { !answers.isUnanswered($0.request.id) } }

    /// The request that came last of those that wait for the test.
    public var newest: MockRequest? { pending.last }

    /// The waiting requests of an operation, oldest first.
    public func pending<Operation: GraphQLOperation>(_ operation: Operation.Type) -> [MockRequest] {
        pending.filter { $0.request.operationName == operation.artifact.name }
    }

    /// Answers the oldest waiting request of an operation, and waits until the environment has nothing left to do.
    ///
    /// A request that the tested code sends by itself in a moment may not wait yet:
    /// ``waitForRequest(of:variables:timeout:)`` waits for it.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - variables: The variables of the request that is meant; nil for any.
    ///   - data: The data, with the fields that the operation selects; nil for those of the world.
    ///   - errors: The errors beside the data.
    /// - Throws: ``MockFailure`` if no such request waits, or if there is neither data nor a world.
    public func resolve<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil, data: JSONValue? = nil, errors: [JSONValue] = []
    ) async throws {
        await settle(environment)
        let request = try oldest(operation, variables)
        if let data {
            request.respond(data: data, errors: errors)
        } else if let world {
            for try await response in world.service.responses(to: request.request) { request.respond(response) }
            await settle(environment)
            try publishClientFields(operation, request.request)
        } else {
            throw MockFailure(
                "'\(operation.artifact.name)' gets no data: give some, or make the environment with a world")
        }
        await settle(environment)
    }

    /// Makes the oldest waiting request of an operation fail, and waits until the environment has nothing left to do.
    ///
    /// - Throws: ``MockFailure`` if no such request waits.
    public func reject<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil, _ error: any Error
    ) async throws {
        await settle(environment)
        try oldest(operation, variables).fail(error)
        await settle(environment)
    }

    /// Gives the oldest waiting request of an operation a response after which others follow: an event of a
    /// subscription, or a part.
    ///
    /// - Throws: ``MockFailure`` if no such request waits.
    public func next<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil, data: JSONValue, errors: [JSONValue] = []
    ) async throws {
        await settle(environment)
        try oldest(operation, variables).respond(data: data, errors: errors, hasNext: true)
        await settle(environment)
    }

    /// Ends the oldest waiting request of an operation after the responses that it got.
    ///
    /// - Throws: ``MockFailure`` if no such request waits.
    public func complete<Operation: GraphQLOperation>(
        _ operation: Operation.Type, variables: JSONValue? = nil
    ) async throws {
        await settle(environment)
        try oldest(operation, variables).complete()
        await settle(environment)
    }
}
