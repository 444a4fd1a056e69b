import Baton
import Synchronization

/// Reads the responses of one operation for a stream. The first read starts the operation, and the end of this object
/// stops the operation.
final class SocketReader: Sendable {
    private let id: Int
    private let request: NetworkRequest
    private let payload: [UInt8]
    private let core: SocketCore
    /// A reference that keeps the network alive. The operation would end with the network.
    private let owner: WebSocketNetwork
    private let mailbox = SocketMailbox()
    private let isStarted = Atomic(false)

    init(_ request: NetworkRequest, payload: [UInt8], _ core: SocketCore, owner: WebSocketNetwork) {
        id = core.newNumber()
        self.request = request
        self.payload = payload
        self.core = core
        self.owner = owner
    }

    deinit { stop() }

    /// Waits for the next response; nil after the last one.
    func next() async throws -> NetworkResponse? {
        guard !Task.isCancelled else {
            stop()
            throw CancellationError()
        }
        if !isStarted.exchange(true, ordering: .acquiringAndReleasing) {
            core.start(id, request, payload: payload, mailbox)
        }
        return try await withTaskCancellationHandler {
            let response = try await mailbox.take()
            if response != nil { core.handle(.consumed(id)) }
            return response
        } onCancel: {
            stop()
        }
    }

    private func stop() {
        mailbox.end(CancellationError())
        if isStarted.load(ordering: .acquiring) { core.stop(id) }
    }
}
