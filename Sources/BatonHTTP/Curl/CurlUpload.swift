import Baton

/// The body of a request: what the read callback takes, and how it gets there.
///
/// One piece waits at a time. A task asks for the next one when the transfer has taken it.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed and closures called outside of it.
final class CurlUpload: Sendable {
    /// What a transfer gets when it asks for bytes.
    enum Portion {
        case bytes(Int)
        /// There is none yet; `arrived` is called when there is.
        case later
        case end
        case failure(any Error)
    }

    private struct State {
        var piece: ArraySlice<UInt8> = []
        var rest: Int
        var end: Result<Void, any Error>?
        var isAwaited = false
        var giver: CheckedContinuation<Bool, Never>?
        var task: Task<Void, Never>?
    }

    /// The number of all bytes.
    let length: Int
    private let state: Guarded<State>

    init(_ body: HTTPRequest.Body) {
        switch body {
        case .none:
            length = 0
            state = Guarded(State(rest: 0, end: .success(())))
        case .bytes(let bytes):
            length = bytes.count
            state = Guarded(State(piece: bytes[...], rest: bytes.count, end: .success(())))
        case .pieces(_, let count):
            length = count
            state = Guarded(State(rest: count))
        }
    }

    /// Begins to read the pieces of a body, if it has any. `arrived` says that a transfer need not wait any more.
    func start(_ body: HTTPRequest.Body, arrived: @escaping @Sendable () -> Void) {
        guard case .pieces(let pieces, _) = body else { return }
        let task = Task { [self] in
            do {
                for try await piece in pieces where !piece.isEmpty {
                    guard await give(piece, arrived) else { return }
                }
                end(.success(()), arrived)
            } catch {
                end(.failure(error), arrived)
            }
        }
        let isOver = state.withLock { state in
            state.task = task
            return state.end != nil
        }
        if isOver { task.cancel() }
    }

    /// Takes up to so many bytes as there is room for.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Portion {
        let (portion, giver) = state.withLock { state -> (Portion, CheckedContinuation<Bool, Never>?) in
            guard state.piece.isEmpty else {
                let count = min(buffer.count, state.piece.count)
                guard count <= state.rest else { return (.failure(Self.wrongLength), nil) }
                state.piece.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
                state.piece = state.piece.dropFirst(count)
                state.rest -= count
                guard state.piece.isEmpty else { return (.bytes(count), nil) }
                defer { state.giver = nil }
                return (.bytes(count), state.giver)
            }
            switch state.end {
            case .failure(let error)?: return (.failure(error), nil)
            case .success?: return (state.rest == 0 ? .end : .failure(Self.wrongLength), nil)
            case nil:
                if state.rest == 0 { return (.end, nil) }
                state.isAwaited = true
                return (.later, nil)
            }
        }
        giver?.resume(returning: true)
        return portion
    }

    /// True if bytes are to be sent, and none of them was taken.
    var isUntouched: Bool { length > 0 && state.withLock { $0.rest == length } }

    /// True if all bytes were taken.
    var isWhole: Bool { state.withLock { $0.rest == 0 } }

    /// Begins again with the first byte; false for a body in pieces of which some were taken.
    func windBack(to body: HTTPRequest.Body) -> Bool {
        state.withLock { state in
            if state.rest == length { return true }
            guard case .bytes(let bytes) = body else { return false }
            (state.piece, state.rest) = (bytes[...], bytes.count)
            return true
        }
    }

    /// Ends the task that reads.
    func stop() {
        let (task, giver) = state.withLock { state in
            if state.end == nil { state.end = .failure(CancellationError()) }
            defer { (state.task, state.giver) = (nil, nil) }
            return (state.task, state.giver)
        }
        task?.cancel()
        giver?.resume(returning: false)
    }

    private static var wrongLength: HTTPError {
        .failed(reason: "the body of the request has not the length it should")
    }

    /// Waits until the piece was taken; false if nobody will take it.
    private func give(_ piece: [UInt8], _ arrived: @Sendable () -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            let (isOver, isAwaited) = state.withLock { state in
                guard state.end == nil else { return (true, false) }
                (state.piece, state.giver) = (piece[...], continuation)
                defer { state.isAwaited = false }
                return (false, state.isAwaited)
            }
            if isOver { continuation.resume(returning: false) }
            if isAwaited { arrived() }
        }
    }

    private func end(_ end: Result<Void, any Error>, _ arrived: @Sendable () -> Void) {
        let isAwaited = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { arrived() }
    }
}
