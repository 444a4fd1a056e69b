import Baton

/// Reads the responses of one operation for a stream: the first read starts the operation, the end of this object stops
/// it.
final class SocketReader: Sendable {
    private enum State {
        case unread
        case reading(Int, SocketMailbox)
    }

    private let request: NetworkRequest
    private let core: SocketCore
    /// Keeps the network, whose end would end the operation.
    private let owner: WebSocketNetwork
    private let state = Guarded(State.unread)

    init(_ request: NetworkRequest, _ core: SocketCore, owner: WebSocketNetwork) {
        self.request = request
        self.core = core
        self.owner = owner
    }

    deinit { stop() }

    /// Waits for the next response; nil after the last one.
    func next() async throws -> NetworkResponse? {
        if Task.isCancelled {
            stop()
            throw CancellationError()
        }
        let (id, mailbox) = start()
        return try await withTaskCancellationHandler {
            let response = try await mailbox.take()
            if response != nil { core.handle(.consumed(id)) }
            return response
        } onCancel: {
            stop()
        }
    }

    private func start() -> (Int, SocketMailbox) {
        let (id, mailbox, isNew) = state.withLock { state -> (Int, SocketMailbox, Bool) in
            if case .reading(let id, let mailbox) = state { return (id, mailbox, false) }
            let (id, mailbox) = (core.newNumber(), SocketMailbox())
            state = .reading(id, mailbox)
            return (id, mailbox, true)
        }
        if isNew { core.start(id, request, mailbox) }
        return (id, mailbox)
    }

    private func stop() {
        guard case .reading(let id, let mailbox) = state.withLock(\.self) else { return }
        mailbox.end(CancellationError())
        core.stop(id)
    }
}
