import Baton
public import Foundation

/// Sends single HTTP requests. `HTTPNetwork` says over it what GraphQL asks for.
///
/// A transport follows no redirect, keeps no cookies (unless it was made to) and no cache, and adds no credentials. It
/// may decompress bodies; `HTTPNetwork` counts what comes out. Cancelling the task that waits in `send` or for the next
/// piece of a body closes the exchange, and so does letting go of a body that was not read to its end.
///
/// A transport is called on any thread, several times concurrently. It throws ``HTTPError`` for what goes wrong, and
/// `CancellationError` when it was cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends a request, body included, and returns when the head of the response has arrived.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// One HTTP request.
public struct HTTPRequest: Sendable {
    /// A method that GraphQL over HTTP uses.
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What is sent after the head.
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Pieces that are read while they are sent, and the number of their bytes.
        case pieces(HTTPPieces, length: Int)
    }

    public var method: Method
    public var url: URL
    public var headers: HTTPHeaders
    public var body: Body

    /// Keeps the parts.
    public init(_ method: Method, _ url: URL, headers: HTTPHeaders = [:], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The head of an HTTP response, and its body as it arrives.
public struct HTTPResponse: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let body: HTTPPieces

    /// Keeps the parts.
    public init(status: Int, headers: HTTPHeaders, body: HTTPPieces) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A body, piece by piece. It is read once, by one task at a time, and the next piece is asked for when it is wanted.
public struct HTTPPieces: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    private let next: @Sendable () async throws -> [UInt8]?

    /// Makes a body of a closure that returns the next piece, and nil at the end.
    public init(_ next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.next = next
    }

    /// A body of one piece.
    static func one(_ piece: [UInt8]) -> HTTPPieces {
        let rest = Guarded([piece])
        return HTTPPieces { rest.withLock { $0.popLast() } }
    }

    /// Reads the body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let step: @Sendable () async throws -> [UInt8]?

        /// Waits for the next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await step() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: next) }
}
