import Baton
public import Foundation

/// Sends single HTTP requests. `HTTPNetwork` uses a transport for the requests of GraphQL.
///
/// A transport follows no redirects, has no cache, and adds no credentials. It keeps no cookies unless it was made to
/// keep them. It may decompress bodies; `HTTPNetwork` counts the bytes after decompression. The exchange is closed when
/// a task is cancelled that waits in `send` or for the next piece of a body. Releasing a body that was not read to its
/// end closes the exchange too.
///
/// A transport is called on any thread, several times concurrently. It throws ``HTTPError`` for failures, and
/// `CancellationError` when it was cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends a request, body included, and returns when the head of the response has arrived.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// One HTTP request.
public struct HTTPRequest: Sendable {
    /// A method that GraphQL over HTTP uses.
    public enum Method: String, Sendable, Hashable {
        /// Asks for a response, with the parameters in the URL.
        case get = "GET"
        /// Sends a request in the body.
        case post = "POST"
        /// Reserves a stream of events (graphql-sse).
        case put = "PUT"
        /// Ends an operation of such a stream.
        case delete = "DELETE"
    }

    /// The bytes after the head of a request.
    public enum Body: Sendable {
        /// No body.
        case none
        /// The whole body.
        case bytes([UInt8])
        /// Pieces that are read during the sending, and the number of their bytes.
        case pieces(HTTPPieces, length: Int)
    }

    /// The method.
    public var method: Method
    /// The whole URL, with its query.
    public var url: URL
    /// The header fields; the transport adds those that the protocol needs, such as `Host`.
    public var headers: HTTPHeaders
    /// What follows the head.
    public var body: Body

    /// Makes a request from its parts.
    public init(_ method: Method, _ url: URL, headers: HTTPHeaders = [:], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The head of an HTTP response, and its body as it arrives.
public struct HTTPResponse: Sendable {
    /// The status code, such as 200.
    public let status: Int
    /// The header fields, in the order in which they came.
    public let headers: HTTPHeaders
    /// The pieces of the body, in order; each can be read once.
    public let body: HTTPPieces

    /// Makes a response from its parts.
    public init(status: Int, headers: HTTPHeaders, body: HTTPPieces) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The body of a response or request in pieces. A body is read once, by one task at a time, and each piece is produced
/// on demand.
public struct HTTPPieces: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    private let next: @Sendable () async throws -> [UInt8]?

    /// Makes a body from a closure that returns the next piece, and nil at the end.
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

        /// Waits for the next piece; nil at the end. Throws what the closure throws that produces it.
        public mutating func next() async throws -> [UInt8]? { try await step() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: next) }
}
