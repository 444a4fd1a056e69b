import Baton

/// What has arrived of one response and was not read yet: its head, then its body.
///
/// One side puts in and ends, on any thread; one task at a time reads. Bytes find room up to `highWater`.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed and closures called outside of it.
final class ResponseInbox: Sendable {
    struct Head: Sendable {
        let status: Int
        let headers: HTTPHeaders
    }

    private struct State {
        var head: Head?
        var headWaiter: CheckedContinuation<Head, any Error>?
        /// The bytes that nobody has read yet.
        var waiting: [UInt8] = []
        var bodyWaiter: CheckedContinuation<[UInt8]?, any Error>?
        /// Nil until the response is over.
        var outcome: Result<Void, any Error>?
        /// True if bytes were refused for want of room.
        var hasRefused = false
    }

    private let highWater: Int
    private let state = Guarded(State())

    /// - Parameter highWater: When so many bytes wait, further ones are refused.
    init(highWater: Int) { self.highWater = highWater }

    // MARK: - The side that reads

    /// Waits for the head. Only one task may call this, once.
    func head() async throws -> Head {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<Head, any Error>? = state.withLock { state in
                if let head = state.head { return .success(head) }
                if case .failure(let error)? = state.outcome { return .failure(error) }
                state.headWaiter = continuation
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// Waits for bytes; nil after the last ones. `makeRoom` is called if there is room again for refused ones.
    func next(_ makeRoom: @Sendable () -> Void) async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let (known, hadRefused) = state.withLock { state -> (Result<[UInt8]?, any Error>?, Bool) in
                if state.waiting.isEmpty, let outcome = state.outcome { return (outcome.map { nil }, false) }
                // Two readers at once are a mistake of the caller; the first one is not left waiting for ever.
                if state.bodyWaiter != nil { return (.failure(CancellationError()), false) }
                defer { (state.waiting, state.hasRefused) = ([], false) }
                if !state.waiting.isEmpty { return (.success(state.waiting), state.hasRefused) }
                state.bodyWaiter = continuation
                return (nil, state.hasRefused)
            }
            if let known { continuation.resume(with: known) }
            if hadRefused { makeRoom() }
        }
    }

    // MARK: - The side that puts in

    /// True if the response has ended, or nobody wants it any more.
    var isOver: Bool { state.withLock { $0.outcome != nil } }

    func put(_ head: Head) {
        let waiter = state.withLock { state in
            if state.head == nil, state.outcome == nil { state.head = head }
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: head)
    }

    /// Adds bytes, or hands them to the task that waits. False if there is no room now.
    func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (reader, hasRoom) = state.withLock { state -> (CheckedContinuation<[UInt8]?, any Error>?, Bool) in
            guard state.outcome == nil else { return (nil, true) }
            if let reader = state.bodyWaiter {
                state.bodyWaiter = nil
                return (reader, true)
            }
            guard state.waiting.count < highWater else {
                state.hasRefused = true
                return (nil, false)
            }
            state.waiting.append(contentsOf: bytes)
            return (nil, true)
        }
        reader?.resume(returning: Array(bytes))
        return hasRoom
    }

    /// Ends the response; only the first end counts, and returns true.
    ///
    /// - Parameter keepsWaiting: True if what came before can still be read.
    func end(_ outcome: Result<Void, any Error>, keepsWaiting: Bool) -> Bool {
        let (isFirst, head, reader) = state.withLock {
            state -> (Bool, CheckedContinuation<Head, any Error>?, CheckedContinuation<[UInt8]?, any Error>?) in
            guard state.outcome == nil else { return (false, nil, nil) }
            state.outcome = outcome
            if !keepsWaiting { state.waiting = [] }
            defer { (state.headWaiter, state.bodyWaiter) = (nil, nil) }
            return (true, state.headWaiter, state.bodyWaiter)
        }
        switch outcome {
        case .success:
            head?.resume(throwing: HTTPError.notHTTP)
            reader?.resume(returning: nil)
        case .failure(let error):
            head?.resume(throwing: error)
            reader?.resume(throwing: error)
        }
        return isFirst
    }
}
