import Baton

/// What the tasks that use a WebSocket connection and its thread say to each other.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it. The thread is woken inside of
/// it, so that it cannot end meanwhile.
final class CurlSocketLink: Sendable {
    /// A message on its way out, and who waits until the system has it.
    struct Letter: Sendable {
        enum Content: Sendable {
            case text([UInt8])
            case close(code: Int, reason: String)
        }
        let content: Content
        let sent: CheckedContinuation<Void, any Error>?
    }

    /// What the thread has to do.
    struct Work: Sendable {
        var letters: [Letter]
        var isDropped: Bool
        /// True if received messages find room.
        var hasRoom: Bool
    }

    fileprivate struct State {
        var opening: Result<String?, any Error>?
        var opener: CheckedContinuation<String?, any Error>?
        var letters: [Letter] = []
        var messages: [[UInt8]] = []
        var bytes = 0
        var receiver: CheckedContinuation<WebSocketMessage, any Error>?
        var end: Result<WebSocketMessage, any Error>?
        var isClosing = false
        var isDropped = false
        /// Nil before the thread waits for the first time, and after its end.
        var waker: CurlLibrary.Waker?

        var hasRoom: Bool { messages.count < mostMessages && (messages.isEmpty || bytes < mostBytes) }
    }

    /// Until so much waits for a receiver, more is read.
    private static let (mostMessages, mostBytes) = (256, 1 << 20)

    let maximumMessageSize: Int
    private let state = Guarded(State())

    init(maximumMessageSize: Int) { self.maximumMessageSize = maximumMessageSize }

    // MARK: - The tasks

    /// Waits until the connection is open. Only one task may call this, once.
    func opening() async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            let known = state.withLock { state in
                if state.opening == nil { state.opener = continuation }
                return state.opening
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// Waits until the system has taken a message. Cancelling the task closes the connection.
    func send(_ text: [UInt8]) async throws {
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    post(Letter(content: .text(text), sent: continuation))
                }
            } onCancel: {
                drop()
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// Waits until the system has taken a close frame, or the connection is gone.
    func close(_ code: Int, _ reason: String) async {
        try? await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            post(Letter(content: .close(code: code, reason: reason), sent: continuation))
        }
    }

    private func post(_ letter: Letter) {
        let error: (any Error)? = state.withLock { state in
            if let end = state.end {
                guard case .failure(let error) = end else {
                    return HTTPError.closed(reason: "the connection is closed")
                }
                return error
            }
            guard !state.isClosing else { return HTTPError.closed(reason: "the connection is closed") }
            if case .close = letter.content { state.isClosing = true }
            state.letters.append(letter)
            if state.letters.count == 1 { state.waker?.wake() }
            return nil
        }
        if let error { letter.sent?.resume(throwing: error) }
    }

    /// Waits for the next message, or for the end.
    func receive() async throws -> WebSocketMessage {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (known, displaced) = state.withLock { $0.take(orWait: continuation) }
                displaced?.resume(throwing: CancellationError())
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            let receiver = state.withLock { state in
                defer { state.receiver = nil }
                return state.receiver
            }
            receiver?.resume(throwing: CancellationError())
        }
    }

    /// Has the connection closed at once.
    func drop() {
        state.withLock { state in
            state.isDropped = true
            state.waker?.wake()
        }
    }

    /// The same, unless it is being closed, which has an end of its own.
    func letGo() {
        if !state.withLock({ $0.isClosing }) { drop() }
    }

    // MARK: - The thread

    func waits(with waker: CurlLibrary.Waker) { state.withLock { $0.waker = waker } }

    var isDropped: Bool { state.withLock { $0.isDropped } }

    func work() -> Work {
        state.withLock { state in
            defer { state.letters = [] }
            return Work(letters: state.letters, isDropped: state.isDropped, hasRoom: state.hasRoom)
        }
    }

    func opened(_ subprotocol: String?) {
        let opener = state.withLock { state in
            state.opening = .success(subprotocol)
            defer { state.opener = nil }
            return state.opener
        }
        opener?.resume(returning: subprotocol)
    }

    /// Adds a message, or hands it to the task that waits. Returns true if another one finds room.
    func put(_ message: [UInt8]) -> Bool {
        let (receiver, hasRoom) = state.withLock { state in
            if let receiver = state.receiver {
                state.receiver = nil
                return (receiver as CheckedContinuation?, true)
            }
            state.messages.append(message)
            state.bytes += message.count
            return (nil, state.hasRoom)
        }
        receiver?.resume(returning: .text(message))
        return hasRoom
    }

    /// Says what follows the last message. Only the first end counts.
    func end(_ end: Result<WebSocketMessage, any Error>) {
        let (opener, receiver, error) = state.withLock { state in
            let error: any Error =
                if case .failure(let error) = end { error } else { HTTPError.closed(reason: "closed by the server") }
            if state.end == nil { state.end = end }
            if state.opening == nil { state.opening = .failure(error) }
            defer { (state.opener, state.receiver) = (nil, nil) }
            return (state.opener, state.receiver, error)
        }
        opener?.resume(throwing: error)
        receiver?.resume(with: end)
    }

    /// Notes that the thread ends. No letter is taken any more.
    func stop() {
        end(.failure(HTTPError.closed(reason: "the connection is closed")))
        let letters = state.withLock { state in
            state.waker = nil
            defer { state.letters = [] }
            return state.letters
        }
        for letter in letters { letter.sent?.resume(throwing: HTTPError.closed(reason: "the connection is closed")) }
    }
}

extension CurlSocketLink.State {
    /// The next message or the end, if there is either; who waited before must not go on waiting.
    fileprivate mutating func take(
        orWait continuation: CheckedContinuation<WebSocketMessage, any Error>
    ) -> (
        known: Result<WebSocketMessage, any Error>?, displaced: CheckedContinuation<WebSocketMessage, any Error>?
    ) {
        if let message = messages.first {
            let wasFull = !hasRoom
            messages.removeFirst()
            bytes -= message.count
            if wasFull, hasRoom { waker?.wake() }
            return (.success(.text(message)), nil)
        }
        if let end { return (end, nil) }
        // The handler of a cancellation that came before this line found no receiver.
        if Task.isCancelled { return (.failure(CancellationError()), nil) }
        defer { receiver = continuation }
        return (nil, receiver)
    }
}
