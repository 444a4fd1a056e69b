/// An answer that has landed in the store.
struct Answer: Sendable {
    let presence: StagedResponse.DataPresence
    let errors: [GraphQLError]
    let extensions: JSONValue?
    /// The payloads of which it was put together.
    let bodies: [[UInt8]]
    let hasNext: Bool
    /// The version of the store in which its data landed; nil if it has none.
    var epoch: Epoch?

    /// The same answer, with no other to come.
    var asLast: Answer {
        Answer(
            presence: presence, errors: errors, extensions: extensions, bodies: bodies, hasNext: false, epoch: epoch)
    }
}

/// What those who wait for a request hear of it.
enum RequestEvent: Sendable {
    case answered(Answer)
    case failed(RelayError)
}

/// Somebody who waits for a request, and may stop waiting at any time.
///
/// `receive` is called outside every lock, after the answer is in the store. State: guarded by its own lock, inside
/// that of its request.
final class Waiter: Sendable {
    private enum State {
        case idle
        case waiting(Request)
        case over
    }

    private let state = Guarded(State.idle)
    let receive: @Sendable (RequestEvent) -> Void

    init(receive: @escaping @Sendable (RequestEvent) -> Void) {
        self.receive = receive
    }

    /// True if nobody waits here any more.
    var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }

    /// False if it has stopped waiting.
    fileprivate func attach(to request: Request) -> Bool {
        state.withLock { state in
            if case .over = state { return false }
            state = .waiting(request)
            return true
        }
    }

    /// Stops waiting; the request that it waited for, if there is one.
    func stop() -> Request? {
        state.withLock { state in
            defer { state = .over }
            if case .waiting(let request) = state { return request }
            return nil
        }
    }
}

/// One request in flight and those who wait for it.
///
/// State: guarded by its own lock.
final class Request: Sendable {
    typealias Updater = @Sendable (RecordSourceProxy) throws -> Void

    private struct State {
        var waiters: [Waiter] = []
        var keys = FetchKeys()
        var isOpen = true
        var isCancelled = false
        var newest: Answer?
        var task: Task<Void, Never>?
    }

    let operation: BoundOperation
    let network: NetworkRequest
    /// The version of the store when the request began.
    let began: Epoch
    /// How often the store had been emptied then.
    let generation: Int
    /// The time at which it began, on the environment's clock.
    let startTime: Duration
    /// Runs on top of the answer, in the same publish.
    let updater: Updater?
    /// What the mutation was expected to change; goes when its answer lands.
    let layer: LayerID?
    /// The key under which it began.
    let firstKey: FetchKey?
    /// The policy of the first who asked; nil for mutations.
    let policy: FetchPolicy?
    private let state = Guarded(State(), .request)

    init(
        _ operation: BoundOperation, id: Int, began: Epoch, generation: Int, startTime: Duration,
        updater: Updater? = nil, layer: LayerID? = nil, key: FetchKey? = nil, policy: FetchPolicy? = nil
    ) {
        self.operation = operation
        self.began = began
        self.generation = generation
        self.startTime = startTime
        self.updater = updater
        self.layer = layer
        firstKey = key
        self.policy = policy
        var variables: [JSONValue.Member] = []
        if case .object(let members) = operation.variables { variables = members }
        network = NetworkRequest(
            id: id, operationName: operation.artifact.name, kind: operation.artifact.kind,
            text: operation.artifact.text,
            variables: variables
        )
    }

    /// What became of an attempt to wait.
    enum Admission {
        case waiting
        /// The waiter has stopped waiting before it began.
        case waiterIsOver
        /// The request is over or was given up.
        case requestIsOver
    }

    /// Lets somebody wait for the answer.
    func add(_ waiter: Waiter, key: FetchKey?) -> Admission {
        state.withLock { state in
            guard state.isOpen else { return .requestIsOver }
            guard waiter.attach(to: self) else { return .waiterIsOver }
            state.waiters.append(waiter)
            if let key { state.keys.keys.append(key) }
            return .waiting
        }
    }

    /// Takes somebody off the list; true if nobody is left and the request is given up.
    func remove(_ waiter: Waiter) -> Bool {
        let (isGivenUp, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            state.waiters.removeAll { $0 === waiter }
            guard state.isOpen, state.waiters.isEmpty else { return (false, nil) }
            state.isOpen = false
            state.isCancelled = true
            return (true, state.task)
        }
        task?.cancel()
        return isGivenUp
    }

    /// Gives it the task to cancel.
    func run(in task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Gives the request up, whoever waits; those who did.
    func abandon() -> [Waiter] {
        let (waiters, task) = state.withLock { state -> ([Waiter], Task<Void, Never>?) in
            defer { state.waiters = [] }
            state.isOpen = false
            state.isCancelled = true
            return (state.waiters, state.task)
        }
        task?.cancel()
        return waiters
    }

    /// Ends the request; those who waited.
    func close() -> [Waiter] {
        state.withLock { state in
            defer { state.waiters = [] }
            state.isOpen = false
            state.task = nil
            return state.waiters
        }
    }

    /// What has landed so far of an answer that comes in parts.
    var newest: Answer? { state.withLock { $0.newest } }
    /// Keeps what has landed for those who come later.
    func note(_ answer: Answer) { state.withLock { $0.newest = answer } }

    /// Nobody waits any more.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Those who wait now.
    var waiters: [Waiter] { state.withLock { $0.waiters } }
    /// Every key under which somebody asked for it.
    var keys: FetchKeys { state.withLock { $0.keys } }
}
