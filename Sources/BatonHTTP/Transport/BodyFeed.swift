import Baton
import Dispatch
import Foundation

/// Hands the pieces of a request's body to a session, which reads them from an `InputStream` on its own thread.
///
/// One piece waits at a time. The session's thread waits while a piece is being read from the disk.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
final class BodyFeed: Sendable {
    private struct State {
        var piece: [UInt8] = []
        var taken: CheckedContinuation<Bool, Never>?
        var isOver = false
        var task: Task<Void, Never>?
    }

    private let pieces: HTTPPieces
    private let state = Guarded(State())
    /// Signalled for each piece, and at the end.
    private let filled = DispatchSemaphore(value: 0)

    init(_ pieces: HTTPPieces) { self.pieces = pieces }

    /// Begins to read. `fail` is called with an error that a piece throws.
    func start(orFail fail: @escaping @Sendable (any Error) -> Void) {
        let task = Task(executorPreference: FeedExecutor.shared) { [self] in
            do {
                for try await piece in pieces where !piece.isEmpty {
                    guard await give(piece) else { break }
                }
            } catch {
                fail(error)
            }
            stop()
        }
        state.withLock { $0.task = task }
    }

    /// Ends the stream; a piece that was not taken is dropped.
    func stop() {
        let (isFirst, giver, task) = state.withLock {
            state -> (Bool, CheckedContinuation<Bool, Never>?, Task<Void, Never>?) in
            defer { (state.isOver, state.taken, state.task) = (true, nil, nil) }
            return (!state.isOver, state.taken, state.task)
        }
        guard isFirst else { return }
        task?.cancel()
        giver?.resume(returning: false)
        filled.signal()
    }

    /// Waits until the piece was taken; returns false if the stream was ended before.
    private func give(_ piece: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isOver { return true }
                state.piece = piece
                state.taken = continuation
                return false
            }
            if isOver { continuation.resume(returning: false) } else { filled.signal() }
        }
    }

    /// Waits for the next piece on the calling thread; nil at the end.
    fileprivate func take() -> [UInt8]? {
        filled.wait()
        let (piece, giver) = state.withLock { state -> ([UInt8]?, CheckedContinuation<Bool, Never>?) in
            guard let giver = state.taken else { return (nil, nil) }
            defer { (state.piece, state.taken) = ([], nil) }
            return (state.piece, giver)
        }
        giver?.resume(returning: true)
        // Each later call returns nil too.
        if piece == nil { filled.signal() }
        return piece
    }

    #if canImport(Darwin)
        /// Makes the stream from which the session reads. A thread of its own writes into the other end of the stream.
        func makeStream() -> InputStream? {
            var input: InputStream?
            var output: OutputStream?
            Stream.getBoundStreams(withBufferSize: 64 << 10, inputStream: &input, outputStream: &output)
            guard let output else { return input }
            let end = OutputEnd(output)
            Thread.detachNewThread { [self] in
                end.stream.open()
                while let piece = take() {
                    var rest = piece[...]
                    while !rest.isEmpty {
                        let count = Array(rest).withUnsafeBufferPointer { buffer in
                            buffer.baseAddress.map { end.stream.write($0, maxLength: buffer.count) } ?? -1
                        }
                        guard count > 0 else { return stop() }
                        rest = rest.dropFirst(count)
                    }
                }
                end.stream.close()
            }
            return input
        }

        /// Only the thread that writes uses the stream.
        private final class OutputEnd: @unchecked Sendable {
            let stream: OutputStream
            init(_ stream: OutputStream) { self.stream = stream }
        }
    #else
        /// Makes the stream from which the session reads.
        func makeStream() -> InputStream? { FeedStream(self) }
    #endif
}

/// Runs the tasks that read bodies on threads of their own.
///
/// The session's work queue waits for pieces. Meanwhile other requests may block all threads of the shared pool in
/// `dataTask` or `resume`, which wait for that queue. A task of the shared pool that reads a body could then never run;
/// this was seen on two cores.
private final class FeedExecutor: TaskExecutor {
    static let shared = FeedExecutor()

    private let queue = DispatchQueue(label: "BodyFeed", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

#if !canImport(Darwin)
    /// Only the session's work queue uses the stream.
    private final class FeedStream: InputStream {
        private let feed: BodyFeed
        private var rest: ArraySlice<UInt8> = []
        private var status = Stream.Status.notOpen

        init(_ feed: BodyFeed) {
            self.feed = feed
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status }
        override var streamError: (any Error)? { nil }
        /// Whether a piece comes is unknown before it is there, and the session takes false for the end of the stream.
        override var hasBytesAvailable: Bool { status == .open }
        override func open() { status = .open }
        override func close() { status = .closed }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            if rest.isEmpty {
                guard let piece = feed.take() else {
                    status = .atEnd
                    return 0
                }
                rest = piece[...]
            }
            let count = min(rest.count, maxLength)
            _ = UnsafeMutableBufferPointer(start: buffer, count: count).update(fromContentsOf: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
    }
#endif
