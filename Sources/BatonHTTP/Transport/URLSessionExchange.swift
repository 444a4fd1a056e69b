import Baton
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One HTTP request in flight: hands on the head of the response, then its body in pieces.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
final class URLSessionExchange: Sendable {
    private struct State {
        var head: Head?
        var headWaiter: CheckedContinuation<Head, any Error>?
        /// The bytes that have not been read.
        var waiting: [Data] = []
        var waitingBytes = 0
        var bodyWaiter: CheckedContinuation<[UInt8]?, any Error>?
        /// Nil until the exchange is over.
        var outcome: Result<Void, any Error>?
        var isSuspended = false

        mutating func takeWaiting() -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(waitingBytes)
            for data in waiting { bytes.append(contentsOf: data) }
            waiting = []
            waitingBytes = 0
            return bytes
        }
    }

    private struct Head: Sendable {
        let status: Int
        let headers: HTTPHeaders
    }

    /// The body of the response, for its reader. The end of this object ends the exchange.
    private final class Body: Sendable {
        private let exchange: URLSessionExchange
        init(_ exchange: URLSessionExchange) { self.exchange = exchange }
        deinit { exchange.end(with: CancellationError()) }
        func next() async throws -> [UInt8]? { try await exchange.next() }
    }

    private let task: URLSessionDataTask
    private let feed: BodyFeed?
    private let maximumWaitingBytes: Int
    private let state = Guarded(State())

    init(_ task: URLSessionDataTask, _ feed: BodyFeed?, maximumWaitingBytes: Int) {
        self.task = task
        self.feed = feed
        self.maximumWaitingBytes = maximumWaitingBytes
    }

    // MARK: - The side that reads

    /// Waits for the head of the response. Only one task may call this method, once.
    func response() async throws -> HTTPResponse {
        let head = try await withCheckedThrowingContinuation { continuation in
            let known: Result<Head, any Error>? = state.withLock { state in
                if let head = state.head { return .success(head) }
                if case .failure(let error)? = state.outcome { return .failure(error) }
                state.headWaiter = continuation
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
        let body = Body(self)
        return HTTPResponse(status: head.status, headers: head.headers, body: HTTPPieces { try await body.next() })
    }

    /// Waits for bytes of the body; nil after the last ones.
    private func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<[UInt8]?, any Error>? = state.withLock { state in
                    if state.waitingBytes > 0 { return .success(state.takeWaiting()) }
                    if let outcome = state.outcome { return outcome.map { nil } }
                    // Two concurrent readers are a mistake of the caller. The first of them must not wait for ever.
                    if state.bodyWaiter != nil { return .failure(CancellationError()) }
                    state.bodyWaiter = continuation
                    return nil
                }
                if let known { continuation.resume(with: known) }
                letServerGoOn()
            }
        } onCancel: {
            end(with: CancellationError())
        }
    }

    // MARK: - The side of the session

    func receive(_ response: URLResponse) {
        guard let head = Self.head(response) else { return end(with: HTTPError.notHTTP) }
        let waiter = state.withLock { state in
            if state.head == nil, state.outcome == nil { state.head = head }
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: head)
    }

    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let (reader, isTooMuch, bytes) = state.withLock {
            state -> (CheckedContinuation<[UInt8]?, any Error>?, Bool, [UInt8]) in
            guard state.outcome == nil else { return (nil, false, []) }
            guard let reader = state.bodyWaiter else {
                state.waiting.append(data)
                state.waitingBytes += data.count
                return (nil, state.waitingBytes > maximumWaitingBytes, [])
            }
            state.bodyWaiter = nil
            return (reader, false, Array(data))
        }
        reader?.resume(returning: bytes)
        if isTooMuch { return end(with: HTTPError.overrun(limit: maximumWaitingBytes)) }
        letServerWait()
    }

    /// Handles the end of the request that the session reports.
    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            // Bytes that came before the connection broke are still read.
            return end(with: Self.describe(error, hasResponse: response != nil), keepsWaiting: true)
        }
        // On Linux, the head of a redirect is reported only here.
        if let response { receive(response) }
        guard state.withLock({ $0.head != nil || $0.outcome != nil }) else { return end(with: HTTPError.notHTTP) }
        feed?.stop()
        let reader = state.withLock { state in
            if state.outcome == nil { state.outcome = .success(()) }
            defer { state.bodyWaiter = nil }
            return state.bodyWaiter
        }
        reader?.resume(returning: nil)
    }

    /// Ends the exchange early, unless it is over. The connection is closed.
    ///
    /// `URLSessionTask.cancel()` waits for the session's work queue. A server that sends without a pause keeps this
    /// queue busy, on loopback for seconds. On the delegate's queue, the call would let all bytes that arrive in the
    /// meantime pile up: 4 GB were measured, against 35 to 65 MB with a thread of its own.
    func end(with error: any Error, keepsWaiting: Bool = false) {
        let (isFirst, head, reader) = state.withLock {
            state -> (Bool, CheckedContinuation<Head, any Error>?, CheckedContinuation<[UInt8]?, any Error>?) in
            guard state.outcome == nil else { return (false, nil, nil) }
            state.outcome = .failure(error)
            if !keepsWaiting { (state.waiting, state.waitingBytes) = ([], 0) }
            defer { (state.headWaiter, state.bodyWaiter) = (nil, nil) }
            return (true, state.headWaiter, state.bodyWaiter)
        }
        guard isFirst else { return }
        feed?.stop()
        let task = task
        DispatchQueue.global().async { task.cancel() }
        head?.resume(throwing: error)
        reader?.resume(throwing: error)
    }

    // MARK: - Waiting

    #if canImport(Darwin)
        /// The number of waiting bytes at which the server has to wait. More than the limit would end the exchange.
        private var highWater: Int { min(1 << 20, maximumWaitingBytes / 2) }

        private func letServerWait() {
            let isFull = state.withLock { state in
                guard !state.isSuspended, state.waitingBytes > highWater, state.outcome == nil else {
                    return false
                }
                state.isSuspended = true
                return true
            }
            if isFull { task.suspend() }
        }

        private func letServerGoOn() {
            let wasFull = state.withLock { state in
                guard state.isSuspended, state.waitingBytes == 0 else { return false }
                state.isSuspended = false
                return true
            }
            if wasFull { task.resume() }
        }
    #else
        // On this system a suspended task goes on loading, and may begin again when it is resumed.
        private func letServerWait() {}
        private func letServerGoOn() {}
    #endif

    // MARK: - Translation

    private static func head(_ response: URLResponse) -> Head? {
        guard let response = response as? HTTPURLResponse else { return nil }
        var headers = HTTPHeaders()
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers.add(name, value) }
        }
        return Head(status: response.statusCode, headers: headers)
    }

    /// The messages of libcurl about bytes without a head, and about a head or a line of it that is too large.
    private static let signsOfNoHTTP = ["HTTP/0.9", "Too large response headers", "Out of memory"]

    /// A text of the system; on Linux it is one of libcurl, which may quote the URL of a proxy with its password.
    static func text(of error: URLError) -> String {
        let text = error.localizedDescription
        let isQuoted = ["://", "@", "Unsupported proxy"].contains(where: text.contains)
        return isQuoted ? "error \(error.code.rawValue) of the system" : text
    }

    static func describe(_ error: any Error, hasResponse: Bool) -> any Error {
        guard let error = error as? URLError else { return error }
        let reason = text(of: error)
        return switch error.code {
        case .cancelled: CancellationError()
        case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed: HTTPError.offline(reason: reason)
        case .cannotFindHost, .dnsLookupFailed: HTTPError.nameNotFound(reason: reason)
        case .cannotConnectToHost: HTTPError.refused(reason: reason)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            HTTPError.tls(reason: reason)
        case .networkConnectionLost, .badServerResponse: HTTPError.closed(reason: reason)
        case _ where !hasResponse && signsOfNoHTTP.contains(where: reason.contains): HTTPError.notHTTP
        case .badURL, .unsupportedURL: HTTPError.badURL(reason: reason)
        case _ where hasResponse: HTTPError.closed(reason: reason)
        // On Linux the code of the error does not tell about certificates.
        case _ where ["SSL", "certificate", "TLS"].contains(where: reason.contains): HTTPError.tls(reason: reason)
        default: HTTPError.failed(reason: reason)
        }
    }
}
