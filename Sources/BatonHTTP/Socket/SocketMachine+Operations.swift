import Baton

// The operations: their beginning, the actions of their consumers, and their end when a connection is lost.
extension SocketMachine {
    mutating func start(_ id: Int, _ operation: SocketOperation) {
        guard !isShut else { return actions.append(.end(id, CancellationError())) }
        guard operations[id] == nil else { return }
        let isReady = link?.stage == .ready
        guard isReady || operations.count < options.maximumQueuedOperations else {
            let error = WebSocketError.tooManyOperations(limit: options.maximumQueuedOperations)
            return actions.append(.end(id, error))
        }
        operations[id] = operation
        newcomer = id
        if isReady {
            begin(id)
        } else if link == nil, !isPaused, timers[.backoff] == nil {
            connect()
        }
    }

    mutating func stop(_ id: Int) {
        guard forget(id) != nil, let link, link.stage == .ready else { return }
        send(SocketText.stop(id, link.subprotocol))
    }

    mutating func consumed(_ id: Int) {
        guard let count = operations[id]?.undelivered, count > 0 else { return }
        if count == maximumUndelivered { full -= 1 }
        operations[id]?.undelivered = count - 1
    }

    /// Sends an operation on the acknowledged connection.
    mutating func begin(_ id: Int) {
        guard let link, let operation = operations[id] else { return }
        operations[id]?.wasSent = true
        send(SocketText.start(id, operation.payload, link.subprotocol))
    }

    /// Passes on a response of the server to an operation.
    mutating func deliver(_ id: Int, _ body: [UInt8], hasNext: Bool) {
        guard operations[id] != nil else { return }
        actions.append(.deliver(id, NetworkResponse(body: body, hasNext: hasNext)))
        operations[id]?.note(body)
        let count = (operations[id]?.undelivered ?? 0) + 1
        operations[id]?.undelivered = count
        if count == maximumUndelivered { full += 1 }
    }

    mutating func end(_ id: Int, _ error: (any Error)?) {
        guard forget(id) != nil else { return }
        actions.append(.end(id, error))
    }

    /// Ends the operations that do not survive the loss of a connection, with this error.
    ///
    /// Subscriptions go on. A query goes on if it was sent, no part of its response came, and the next attempt
    /// succeeds. A mutation that was sent goes on only if the server recognizes its key.
    ///
    /// - Parameter wasReady: Whether the connection was acknowledged, so that all operations had been sent on it.
    mutating func interrupt(_ error: any Error, wasReady: Bool) {
        for id in sortedOperations {
            guard let operation = operations[id] else { continue }
            switch operation.kind {
            case .subscription: break
            case .query: if !wasReady || operation.hasResponse { end(id, error) }
            case .mutation:
                let isRepeated = wasReady && !operation.hasResponse && options.resendsMutations && operation.hasKey
                if !isRepeated { end(id, reason(operation, error)) }
            }
        }
    }

    mutating func endAll(_ error: any Error) {
        for id in sortedOperations {
            if let operation = operations[id] { end(id, reason(operation, error)) }
        }
    }

    /// The error of an operation that ends because of another error. The outcome of a mutation that was sent is
    /// unknown.
    private func reason(_ operation: SocketOperation, _ error: any Error) -> any Error {
        guard operation.kind == .mutation, operation.wasSent, !(error is CancellationError) else { return error }
        return WebSocketError.outcomeUnknown(cause: "\(error)")
    }

    private mutating func forget(_ id: Int) -> SocketOperation? {
        guard let operation = operations.removeValue(forKey: id) else { return nil }
        if operation.undelivered >= maximumUndelivered { full -= 1 }
        return operation
    }

    var maximumUndelivered: Int { max(options.maximumWaitingResponses, 1) }
}
