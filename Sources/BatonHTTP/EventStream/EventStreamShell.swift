import Baton

/// Performs the actions of the engine of the single connection mode.
///
/// State: guarded by a lock of its own, a leaf. Actions are performed outside of the lock. The results of one operation
/// stay in order because one task reads the stream.
final class EventStreamShell: Sendable {
    private struct State {
        var engine: EventStreamEngine
        var lastID = 0
        var operations: [Int: Running] = [:]
        /// The task of the connection, and the tasks that wait.
        var connections: [Int: Task<Void, Never>] = [:]
        var waits: [Int: Task<Void, Never>] = [:]
        /// The tasks of operations that wait to be sent once more, by their ids.
        var holds: [Int: Task<Void, Never>] = [:]
        var hasEnded = false
    }

    private struct Running {
        let request: NetworkRequest
        let continuation: AsyncThrowingStream<NetworkResponse, any Error>.Continuation
    }

    private let state: Guarded<State>
    private let exchanges: EventStreamExchanges
    private let maximumWaitingResponses: Int
    private let documentIDs: DocumentIDShape?

    init(
        engine: EventStreamEngine, exchanges: EventStreamExchanges, maximumWaitingResponses: Int,
        documentIDs: DocumentIDShape?
    ) {
        self.documentIDs = documentIDs
        state = Guarded(State(engine: engine))
        self.exchanges = exchanges
        self.maximumWaitingResponses = maximumWaitingResponses
    }

    /// Begins an operation. The operation stops when its stream is released, or when the reading task is cancelled.
    ///
    /// - Throws: `RelayError.configuration` for an operation without the id that is to be sent.
    func responses(to request: NetworkRequest) throws -> AsyncThrowingStream<NetworkResponse, any Error> {
        let (stream, continuation) = AsyncThrowingStream<NetworkResponse, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(maximumWaitingResponses))
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let content = try RequestContent(
            request, ids: documentIDs,
            extensions: [.init("operationId", .string(String(id)))] + request.keyExtensions)
        request.sentCredentials.follow(exchanges.sent)
        state.withLock { $0.operations[id] = Running(request: request, continuation: continuation) }
        continuation.onTermination = { [weak self] _ in self?.stop(id) }
        take(.begin(id, request.kind, body: content.json))
        return stream
    }

    /// Ends all operations and tasks, because the network is no longer used.
    func end() {
        let (operations, tasks) = state.withLock { state in
            state.hasEnded = true
            defer { (state.operations, state.connections, state.waits, state.holds) = ([:], [:], [:], [:]) }
            let tasks = [state.connections, state.waits, state.holds].flatMap(\.values)
            return (state.operations.values, tasks)
        }
        for task in tasks { task.cancel() }
        for operation in operations { operation.continuation.finish(throwing: CancellationError()) }
    }

    private func stop(_ id: Int) {
        let (wasRunning, hold) = state.withLock {
            ($0.operations.removeValue(forKey: id) != nil, $0.holds.removeValue(forKey: id))
        }
        hold?.cancel()
        if wasRunning { take(.stop(id)) }
    }

    private func take(_ event: EventStreamEngine.Event) {
        let actions = state.withLock { $0.hasEnded ? [] : $0.engine.take(event) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: EventStreamEngine.Action) {
        switch action {
        case .connect(let connection):
            start(connection, in: \.connections) { [exchanges] shell in
                let error = await exchanges.run { opened in
                    shell()?.take(.opened(connection: connection, token: opened))
                } event: { event in
                    shell()?.take(.received(connection: connection, event))
                }
                shell()?.take(.lost(connection: connection, error))
            }
        case .wait(let connection, let duration):
            start(connection, in: \.waits) { [exchanges] shell in
                guard (try? await BoundedTime.sleep(for: duration, on: exchanges.clock)) != nil else { return }
                shell()?.take(.waited(connection: connection))
            }
        case .hold(let connection, let id, let duration):
            start(id, in: \.holds) { [exchanges] shell in
                guard (try? await BoundedTime.sleep(for: duration, on: exchanges.clock)) != nil else { return }
                shell()?.take(.due(connection: connection, id))
            }
        case .close(let connection): state.withLock { $0.connections.removeValue(forKey: connection) }?.cancel()
        case .send(let connection, let token, let id, let body):
            // An operation that is stopped during the sending is sent all the same, and then stopped on the server.
            Task { [weak self, exchanges] in
                let sending = await exchanges.send(body, token: token)
                self?.take(.sent(connection: connection, id, sending))
            }
        case .resend(let connection, let token, let id, let body):
            Task { [weak self, exchanges] in
                await exchanges.delete(id, token: token)
                let sending = await exchanges.send(body, token: token)
                self?.take(.sent(connection: connection, id, sending))
            }
        case .delete(let token, let id): Task { [exchanges] in await exchanges.delete(id, token: token) }
        case .report(let id, let report):
            state.withLock { $0.operations[id]?.request }?.report(report)
        case .deliver(let id, let response): deliver(response, to: id)
        case .finish(let id, let error):
            let (running, hold) = state.withLock {
                ($0.operations.removeValue(forKey: id), $0.holds.removeValue(forKey: id))
            }
            hold?.cancel()
            running?.continuation.finish(throwing: error.map(wrapped))
        }
    }

    private func deliver(_ response: NetworkResponse, to id: Int) {
        guard let running = state.withLock({ $0.operations[id] }) else { return }
        guard case .dropped = running.continuation.yield(response) else { return }
        state.withLock { state in _ = state.operations.removeValue(forKey: id) }
        running.continuation.finish(
            throwing: RelayError.transport(RelayError.StreamError.readerTooSlow(waiting: maximumWaitingResponses)))
        take(.stop(id))
    }

    /// Starts a task that does not keep the shell alive. Only the newest wait of a connection or operation counts.
    private func start(
        _ number: Int, in tasks: any WritableKeyPath<State, [Int: Task<Void, Never>]> & Sendable,
        _ work: @escaping @Sendable (@escaping @Sendable () -> EventStreamShell?) async -> Void
    ) {
        let task = RequestScope.$owner.withValue(nil) {
            Task { [weak self] in
                await work { [weak self] in self }
                self?.state.withLock { state in
                    guard !Task.isCancelled else { return }
                    state[keyPath: tasks][number] = nil
                }
            }
        }
        let old = state.withLock { state -> Task<Void, Never>? in
            if state.hasEnded { return task }
            return state[keyPath: tasks].updateValue(task, forKey: number)
        }
        old?.cancel()
    }

    /// The error that an operation gets, without the values of credentials.
    private func wrapped(_ error: any Error) -> any Error {
        switch error {
        case is RelayError: exchanges.sent.credentials.struck(from: error)
        case is CancellationError: RelayError.cancelled
        default: RelayError.transport(exchanges.sent.credentials.struck(from: error))
        }
    }
}
