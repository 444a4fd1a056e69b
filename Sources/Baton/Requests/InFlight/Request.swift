/// One request in flight, with its waiters.
///
/// State: guarded by a lock of its own.
final class Request: Sendable {
    /// Gets the records, and the operation of the answer.
    typealias Updater = @Sendable (RecordSourceProxy, BoundOperation) throws -> Void

    private struct State {
        var waiters: [Waiter] = []
        var keys = FetchKeys()
        var components: [String] = []
        var isOpen = true
        var isCancelled = false
        var newest: Answer?
        var connection: TransportState?
        var task: Task<Void, Never>?
    }

    let operation: BoundOperation
    let network: NetworkRequest
    /// The version of the store at the beginning of the request.
    let began: Epoch
    /// The store's generation at the beginning of the request.
    let generation: Int
    /// The time at the beginning of the request, on the environment's clock.
    let startTime: Duration
    /// An update that runs on top of the answer, in the same publish.
    let updater: Updater?
    /// The layer of the mutation's optimistic change, which is dropped when the answer lands.
    let layer: LayerID?
    /// The fetch key at the beginning of the request.
    let firstKey: FetchKey?
    /// The policy of the first waiter; nil for mutations.
    var policy: FetchPolicy? { network.policy }
    var configuration: RequestConfiguration { network.configuration }
    private let state = Guarded(State(), .request)

    init(_ call: RequestCall, id: Int, began: Epoch, generation: Int, startTime: Duration) {
        operation = call.operation
        self.began = began
        self.generation = generation
        self.startTime = startTime
        updater = call.updater
        layer = call.layer
        firstKey = call.key
        network = call.networkRequest(id: id)
    }

    /// What no error and no log may repeat: what the network says that it has sent, and what the caller has said.
    var credentials: Credentials { network.sentCredentials.credentials(with: configuration.headers) }

    /// The reason why the request must not be sent.
    var refusal: RelayError? { operation.refusal ?? configuration.refusal }

    /// The request as the network gets it. A network may keep it for longer than the environment keeps this object.
    var message: NetworkRequest {
        guard network.kind == .subscription else { return network }
        return network.reporting { [weak self] in self?.connection(is: $0) }
    }

    /// Notes the state of the connection and notifies the waiters.
    private func connection(is connection: TransportState) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.isOpen, state.connection != connection else { return [] }
            state.connection = connection
            return state.waiters
        }
        for waiter in waiters { waiter.receive(.connection(connection)) }
    }

    /// The result of an attempt to wait.
    enum Admission {
        case waiting
        /// The waiter has already stopped waiting.
        case waiterIsOver
        /// The request is over or was given up.
        case requestIsOver
    }

    /// Adds a waiter.
    func add(_ waiter: Waiter, key: FetchKey?) -> Admission {
        state.withLock { state in
            guard state.isOpen else { return .requestIsOver }
            guard waiter.attach(to: self) else { return .waiterIsOver }
            state.waiters.append(waiter)
            if let key { state.keys.keys.append(key) }
            return .waiting
        }
    }

    /// Removes a waiter; returns true if none is left and the request is given up. `RelayEnvironment.cancel` then ends
    /// the request.
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

    /// Sets the task that a cancellation cancels.
    func run(in task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Gives the request up in any case; returns its waiters.
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

    /// Ends the request; returns its waiters.
    func close() -> [Waiter] {
        state.withLock { state in
            defer { state.waiters = [] }
            state.isOpen = false
            state.task = nil
            return state.waiters
        }
    }

    /// The parts of the answer that have landed so far.
    var newest: Answer? { state.withLock { $0.newest } }
    /// Keeps the parts that have landed, for later waiters.
    func setNewest(_ answer: Answer) { state.withLock { $0.newest = answer } }

    /// True if the request was given up.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// The current waiters.
    var waiters: [Waiter] { state.withLock { $0.waiters } }
    /// The names of the components that have asked, each once, in the order in which they first did.
    var components: [String] { state.withLock { $0.components } }

    /// Notes a component that asks.
    func add(_ component: String) {
        state.withLock { if !$0.components.contains(component) { $0.components.append(component) } }
    }

    /// The fetch keys of all waiters.
    var keys: FetchKeys { state.withLock { $0.keys } }
}
