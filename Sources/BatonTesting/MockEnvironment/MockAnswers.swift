import Baton

/// The network of a `MockEnvironment`: it gives queued answers, and passes the other requests on to a `MockNetwork`,
/// where they wait for the test.
///
/// State: guarded by a lock of its own, a leaf.
final class MockAnswers: NetworkLayer {
    private struct Queued {
        let answer: MockAnswer
        /// How often the answer is used; nil without an end.
        var times: Int?
    }

    private struct State {
        /// The answers by the names of operations, the next one first.
        var queued: [String: [Queued]] = [:]
        var others: MockAnswer?
        var requests: [Int: NetworkRequest] = [:]
        /// The requests that get no answer on purpose.
        var unanswered: Set<Int> = []
    }

    let network = MockNetwork()
    private let world: World?
    private let clock: ManualClock
    private let state = Guarded(State())

    init(world: World?, clock: ManualClock) {
        self.world = world
        self.clock = clock
    }

    func queue(_ answer: MockAnswer, for name: String, times: Int?) {
        guard times.map({ $0 > 0 }) ?? true else { return }
        state.withLock { $0.queued[name, default: []].append(Queued(answer: answer, times: times)) }
    }

    func setAnswerForOthers(_ answer: MockAnswer?) { state.withLock { $0.others = answer } }

    /// The queued answers that no request has taken, by operation.
    var rest: [String: Int] {
        state.withLock { state in
            state.queued.compactMapValues { queued in
                let count = queued.compactMap(\.times).reduce(0, +)
                return count > 0 ? count : nil
            }
        }
    }

    func request(_ id: Int) -> NetworkRequest? { state.withLock { $0.requests[id] } }

    /// Whether a request gets no answer on purpose.
    func isUnanswered(_ id: Int) -> Bool { state.withLock { $0.unanswered.contains(id) } }

    private func take(for request: NetworkRequest) -> MockAnswer? {
        state.withLock { state in
            state.requests[request.id] = request
            let name = request.operationName
            guard var next = state.queued[name]?.first else { return state.others }
            if let times = next.times {
                next.times = times - 1
                if times == 1 { state.queued[name]?.removeFirst() } else { state.queued[name]?[0] = next }
            }
            return next.answer
        }
    }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        try Task.checkCancellation()
        throw RelayError.noResponse
    }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        guard let answer = take(for: request) else { return network.responses(to: request) }
        return responses(to: request, answer)
    }

    /// The most closures that may choose one after the other for a request.
    private static let mostChoices = 100

    private func responses(
        to request: NetworkRequest, _ first: MockAnswer
    ) -> AsyncThrowingStream<NetworkResponse, any Error> {
        var (answer, delay, choices) = (first, first.delay, 0)
        while case .each(let choose) = answer.content, choices < Self.mostChoices {
            answer = choose(request)
            delay += answer.delay
            choices += 1
        }
        return responses(to: request, answer, after: delay)
    }

    private func responses(
        to request: NetworkRequest, _ answer: MockAnswer, after delay: Duration
    ) -> AsyncThrowingStream<NetworkResponse, any Error> {
        if case .never = answer.content {
            state.withLock { state in _ = state.unanswered.insert(request.id) }
            return network.responses(to: request)
        }
        if case .world = answer.content, delay == .zero, let world { return world.responses(to: request) }
        return .delivering { [self] deliver in
            if delay > .zero { try await BoundedTime.sleep(for: delay, on: clock) }
            func give(_ members: [JSONValue.Member]) async throws {
                try await deliver(NetworkResponse(body: JSONValue.object(members).jsonBytes))
            }
            switch answer.content {
            case .data(let data, let errors):
                network.noteDifferences(of: data, from: request)
                try await give((errors.isEmpty ? [] : [.init("errors", .array(errors))]) + [.init("data", data)])
            case .errors(let errors): try await give([.init("errors", .array(errors))])
            case .failure(let error): throw error
            case .body(let body): try await deliver(NetworkResponse(body: Array(body.utf8)))
            case .world:
                guard let world else { throw MockFailure("the environment of the test has no world") }
                for try await response in world.responses(to: request) { try await deliver(response) }
            case .each:
                throw MockFailure("'.each' has chosen '.each' \(Self.mostChoices) times; choose an answer at last")
            case .never: break
            }
        }
    }
}
