import Foundation

/// Throws the error with which a transport could not be made, at each use.
struct UnavailableTransport: HTTPTransport, WebSocketTransport {
    private let error: HTTPError

    init(_ error: HTTPError) { self.error = error }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw error }

    func connect(
        to url: URL, headers: HTTPHeaders, subprotocols: [String], maximumMessageSize: Int
    ) async throws -> any WebSocketConnection { throw error }
}
