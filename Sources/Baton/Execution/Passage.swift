/// A request on its way to the network and back.
///
/// Whoever holds the landing may write an answer into the store or end the request. That is either the task that sends,
/// or the code that gives the request up. A network that goes on regardless then finds no landing, so nobody waits for
/// it.
///
/// State: guarded by a lock of its own, a leaf.
final class Passage: Sendable {
    private enum State: ~Copyable {
        case open(Landing)
        /// An answer lands. The failure ends the request afterwards.
        case landing(failure: RelayError?)
        case over

        /// Takes the landing and leaves another state; nil if there is none.
        mutating func take(leaving next: consuming State) -> Landing? {
            switch consume self {
            case .open(let landing):
                self = next
                return landing
            case .landing(let failure): self = .landing(failure: failure)
            case .over: self = .over
            }
            return nil
        }

        /// Notes the failure that ends the request after an answer that lands; the first counts.
        mutating func note(_ failure: RelayError) {
            switch consume self {
            case .landing(let earlier): self = .landing(failure: earlier ?? failure)
            case let other: self = other
            }
        }

        /// Puts the landing of an answer back, or returns the failure that has come meanwhile.
        mutating func putBack(_ landing: inout Landing?) -> RelayError? {
            switch consume self {
            case .landing(let failure?):
                self = .over
                return failure
            default:
                self = .over
                if let landing = landing.take() { self = .open(landing) }
                return nil
            }
        }
    }

    private let state: Guarded<State>
    private let canceller = TaskCanceller()

    init(_ landing: consuming sending Landing) {
        state = Guarded(.open(landing))
    }

    /// Sends the request, in a task of its own, and lands its answers until it is over. Must be called once.
    func send(
        _ request: NetworkRequest, over network: any NetworkLayer, countedIn activity: Activity
    ) -> Task<Void, Never> {
        let task = Task { await run(request, over: network, countedIn: activity) }
        canceller.set(task)
        return task
    }

    private func run(
        _ request: NetworkRequest, over network: any NetworkLayer, countedIn activity: Activity
    ) async {
        await withTaskCancellationHandler {
            do {
                if let network = network as? any DirectNetwork {
                    try await send(request, over: network, countedIn: activity)
                } else if try await read(network, request, countedIn: activity) {
                    return
                }
                finish(nil)
            } catch {
                finish(error)
            }
        } onCancel: {
            // This runs in a task of its own, because Swift calls the handler while it holds a lock, and the end of a
            // request calls code of the application.
            Task { end(with: .cancelled) }
        }
    }

    /// Ends the request after the network, unless it is over.
    ///
    /// This is a function of its own, because the task would keep room for the errors of `run` all the time.
    @inline(never)
    private func finish(_ error: (any Error)?) {
        if Task.isCancelled {
            end(with: .cancelled)
        } else if let error {
            end(with: RelayError(wrapping: error))
        } else {
            take()?.endAfterLast()
        }
    }

    private func send(
        _ request: NetworkRequest, over network: any DirectNetwork, countedIn activity: Activity
    ) async throws {
        try await RequestScope.run(countedIn: activity) {
            try await network.run(request, deliver: deliver) { error in
                self.end(with: RelayError(wrapping: error))
                self.canceller.cancel()
            }
        }
    }

    /// Reads the stream of responses; returns true if the request is over before the stream.
    private func read(
        _ network: any NetworkLayer, _ request: NetworkRequest, countedIn activity: Activity
    ) async throws -> Bool {
        let responses = RequestScope.run(countedIn: activity) { network.responses(to: request) }
        for try await response in responses {
            if try land(response) { return true }
        }
        return false
    }

    /// Ends the request, unless it is over. While an answer lands, the sending task ends the request afterwards.
    func end(with failure: RelayError) {
        let landing = state.withLock { state -> Landing? in
            if let landing = state.take(leaving: .over) { return landing }
            state.note(failure)
            return nil
        }
        landing?.end(with: failure)
    }

    /// Lands an answer of a network that works in the task. A network that goes on after the end gets the error.
    private func deliver(_ response: NetworkResponse) throws {
        if try land(response), response.hasNext { throw CancellationError() }
    }

    /// Lands an answer; returns true if the request is over. Throws `CancellationError` if it was over before.
    private func land(_ response: NetworkResponse) throws -> Bool {
        // Answers after the request was given up are ignored.
        guard !Task.isCancelled, var landing = beginLanding() else { throw CancellationError() }
        if landing.land(response) {
            state.withLock { $0 = .over }
            return true
        }
        // The request may have been given up while the answer landed.
        var next = Optional(consume landing)
        let failure = state.withLock { $0.putBack(&next) }
        guard let failure else {
            try Task.checkCancellation()
            return false
        }
        next?.end(with: failure)
        return true
    }

    private func beginLanding() -> Landing? {
        state.withLock { $0.take(leaving: .landing(failure: nil)) }
    }

    private func take() -> Landing? {
        state.withLock { $0.take(leaving: .over) }
    }
}

/// Lands the answers of a request. It moves with the right to do so, and is never copied.
struct Landing: ~Copyable, Sendable {
    private let request: Request
    private let environment: RelayEnvironment
    private let timer: TaskCanceller?
    private let whenOver: (@Sendable () -> Void)?
    private var delivery: IncrementalDelivery?
    private var last: Answer?
    private var responses = 0
    private var bytes = 0

    /// The timer is cancelled and `whenOver` is called when the request is over.
    init(
        of request: Request, in environment: RelayEnvironment, timer: TaskCanceller?,
        whenOver: (@Sendable () -> Void)?
    ) {
        self.request = request
        self.environment = environment
        self.timer = timer
        self.whenOver = whenOver
        delivery = IncrementalDelivery(request.operation)
    }

    /// Writes an answer, or a part of one, into the store; returns true if the request is over.
    mutating func land(_ response: NetworkResponse) -> Bool {
        responses += 1
        bytes += response.body.count
        do {
            guard let answer = try environment.land(response, for: request, &delivery) else {
                end(with: .cancelled)
                return true
            }
            last = answer
            if answer.hasNext { return false }
            end(with: nil)
        } catch let error as ResponseError {
            end(with: .invalidResponse(request.credentials.struck(from: error.quoting(response.body))))
        } catch {
            end(with: RelayError(wrapping: error))
        }
        return true
    }

    /// Ends the request after the network has ended its answers.
    func endAfterLast() {
        if request.network.kind == .subscription {
            environment.complete(request)
            return end(with: nil)
        }
        // The last response would have ended the request.
        guard last != nil else { return end(with: .noResponse) }
        end(with: .transport(AnswerStreamError.closedEarly(responses: responses, bytes: bytes)))
    }

    /// Ends the request, with a failure or after its last answer.
    func end(with failure: RelayError?) {
        environment.end(request, with: failure)
        timer?.cancel()
        whenOver?()
    }
}
