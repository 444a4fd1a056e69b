import Baton
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes WebSocket connections with `URLSession`.
///
/// On Apple platforms this transport has no further requirements. On Linux it depends on the system's libcurl: if that
/// has no WebSockets, `connect` throws ``WebSocketError/notSupported(_:)``. Then another transport is needed, such as
/// one on SwiftNIO.
///
/// Cancelling a task that waits in `receive` closes the connection, since `URLSession` cannot end the wait alone.
public final class URLSessionWebSocketTransport: WebSocketTransport {
    private let session: URLSession
    private let delegate = SocketSessionDelegate()

    /// Makes a transport with a session of its own, without cookies, cache and stored credentials.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Connects. A redirect is not followed, so that no header reaches another server.
    public func connect(
        to url: URL, headers: HTTPHeaders, subprotocols: [String], maximumMessageSize: Int
    ) async throws -> any WebSocketConnection {
        let target = Self.webSocketURL(url)
        guard ["ws", "wss"].contains(target.scheme?.lowercased()) else {
            throw HTTPError.badURL(reason: "its scheme is not that of WebSockets")
        }
        var request = URLRequest(url: target)
        request.httpShouldHandleCookies = false
        for field in headers.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if !subprotocols.isEmpty {
            request.setValue(subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        let task = session.webSocketTask(with: request)
        task.maximumMessageSize = maximumMessageSize
        let opening = SocketOpening()
        delegate.add(opening, for: task)
        defer { delegate.remove(task) }
        do {
            let subprotocol = try await withTaskCancellationHandler {
                task.resume()
                return try await opening.subprotocol()
            } onCancel: {
                opening.end(.failure(CancellationError()))
                task.cancel()
            }
            return URLSessionWebSocketConnection(task, subprotocol: subprotocol, maximumMessageSize: maximumMessageSize)
        } catch let error as URLError {
            if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap { ResponseHead.wait($0) }
                throw RelayError.httpStatus(response.statusCode, body: "", retryAfter: wait)
            }
            throw Self.described(error)
        }
    }

    /// The same URL with the scheme `ws` or `wss`.
    static func webSocketURL(_ url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        switch parts.scheme?.lowercased() {
        case "http": parts.scheme = "ws"
        case "https": parts.scheme = "wss"
        default: return url
        }
        return parts.url ?? url
    }

    static func described(_ error: any Error) -> any Error {
        // Apple's systems tell of a socket that is gone in this way.
        if let error = error as? POSIXError, [.ENOTCONN, .ECONNRESET, .ECONNABORTED, .EPIPE].contains(error.code) {
            return URLSessionExchange.describe(URLError(.networkConnectionLost), hasResponse: false)
        }
        guard let error = error as? URLError else { return error }
        let text = URLSessionExchange.text(of: error)
        // The text comes from FoundationNetworking, and the name from libcurl.
        if error.code == .unsupportedURL || text.contains("WebSocket") { return WebSocketError.notSupported(text) }
        return URLSessionExchange.describe(error, hasResponse: false)
    }
}

/// One connection of `URLSession`; its end closes the connection.
private final class URLSessionWebSocketConnection: WebSocketConnection {
    let subprotocol: String?
    private let task: URLSessionWebSocketTask
    private let maximumMessageSize: Int

    init(_ task: URLSessionWebSocketTask, subprotocol: String?, maximumMessageSize: Int) {
        self.task = task
        self.subprotocol = subprotocol
        self.maximumMessageSize = maximumMessageSize
    }

    deinit { task.cancel() }

    func send(_ text: [UInt8]) async throws {
        do {
            // A server that does not read would hold the message up for ever.
            try await withTaskCancellationHandler {
                try await task.send(.string(String(decoding: text, as: UTF8.self)))
            } onCancel: {
                task.cancel()
            }
        } catch {
            try Task.checkCancellation()
            throw URLSessionWebSocketTransport.described(error)
        }
    }

    func receive() async throws -> WebSocketMessage {
        do {
            let message = try await withTaskCancellationHandler {
                try await task.receive()
            } onCancel: {
                task.cancel()
            }
            switch message {
            case .string(let text): return .text(Array(text.utf8))
            case .data(let data): return .text(Array(data))
            @unknown default: return .text([])
            }
        } catch {
            try Task.checkCancellation()
            let code = task.closeCode.rawValue
            if code != URLSessionWebSocketTask.CloseCode.invalid.rawValue {
                return .closed(code: code, reason: String(decoding: task.closeReason ?? Data(), as: UTF8.self))
            }
            if (error as? URLError)?.code == .dataLengthExceedsMaximum || (error as? POSIXError)?.code == .EMSGSIZE {
                throw WebSocketError.messageTooLarge(limit: maximumMessageSize)
            }
            throw URLSessionWebSocketTransport.described(error)
        }
    }

    func close(code: Int, reason: String) async {
        let code = URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure
        task.cancel(with: code, reason: Data(reason.utf8))
    }
}
