import Baton

/// The responses that a test has given to one request, until they are read.
///
/// The request rests until the test gives a response, and again when the reader wants another one: it has worked at
/// those before then.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
final class MockExchange: Sendable {
    private struct State {
        var given: [NetworkResponse] = []
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<NetworkResponse?, any Error>?
        var isResting = true
    }

    private let state = Guarded(State())
    private let owner: RequestScope.Owner?

    /// Makes an exchange; `begin` must follow.
    init(owner: RequestScope.Owner?) {
        self.owner = owner
        owner?.isHeld()
    }

    /// Lets the request rest. Whoever finds that it rests looks for it among the waiting ones, so it must stand there
    /// before. A response may have been given already: it counts one less then, and this one more.
    func begin() { owner?.rests() }

    /// Gives a response, the last one if there is an end. Nothing is given after the end.
    func give(_ response: NetworkResponse?, end: Result<Void, any Error>? = nil) {
        let (wakes, reader) = state.withLock { state -> (Bool, CheckedContinuation<NetworkResponse?, any Error>?) in
            guard state.end == nil else { return (false, nil) }
            state.given += response.map { [$0] } ?? []
            state.end = end
            defer { (state.isResting, state.reader) = (false, nil) }
            return (state.isResting, state.reader)
        }
        // The count changes before the reader goes on.
        if wakes { owner?.wakes() }
        if let reader { resume(reader) }
    }

    /// Ends the exchange, because nobody reads it any more.
    func close() { give(nil, end: .success(())) }

    /// Returns the next response when there is one; nil after the last one, and if the task is cancelled.
    func next() async throws -> NetworkResponse? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isReady, rests) = state.withLock { state -> (Bool, Bool) in
                    if !state.given.isEmpty || state.end != nil { return (true, false) }
                    state.reader = continuation
                    defer { state.isResting = true }
                    return (false, !state.isResting)
                }
                if isReady { resume(continuation) }
                if rests { owner?.rests() }
            }
        } onCancel: {
            close()
        }
    }

    private func resume(_ reader: CheckedContinuation<NetworkResponse?, any Error>) {
        let result = state.withLock { state -> Result<NetworkResponse?, any Error> in
            if !state.given.isEmpty { return .success(state.given.removeFirst()) }
            defer { state.end = .success(()) }
            return state.end?.map { nil } ?? .success(nil)
        }
        reader.resume(with: result)
    }
}

/// The reader of an exchange. It ends with the stream, or when its task is cancelled.
final class MockReader: Sendable {
    private let exchange: MockExchange
    private let whenGone: @Sendable () -> Void

    init(_ exchange: MockExchange, whenGone: @escaping @Sendable () -> Void) {
        self.exchange = exchange
        self.whenGone = whenGone
    }

    deinit {
        exchange.close()
        whenGone()
    }

    func next() async throws -> NetworkResponse? {
        try await withTaskCancellationHandler {
            try await exchange.next()
        } onCancel: {
            whenGone()
        }
    }
}
