import Baton

/// One request in flight, as the tasks see it that wait for its response.
final class CurlExchange: Sendable {
    /// The bytes of one response that wait for their reader before the transfer is paused.
    private static let highWater = 256 << 10

    let request: HTTPRequest
    let upload: CurlUpload
    let inbox = ResponseInbox(highWater: highWater)
    private let loop: CurlLoop

    init(_ request: HTTPRequest, on loop: CurlLoop) {
        self.request = request
        self.loop = loop
        upload = CurlUpload(request.body)
    }

    /// The body of the response in other hands. The end of this object is the end of the exchange.
    private final class Body: Sendable {
        private let exchange: CurlExchange
        init(_ exchange: CurlExchange) { self.exchange = exchange }
        deinit { exchange.end(with: CancellationError()) }
        func next() async throws -> [UInt8]? { try await exchange.next() }
    }

    /// Sends the request and waits for the head of the response. Only one task may call this, once.
    func response() async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            loop.run(.start(self))
            upload.start(request.body) { [self] in loop.run(.goOn(self)) }
            let head = try await inbox.head()
            let body = Body(self)
            return HTTPResponse(status: head.status, headers: head.headers, body: HTTPPieces { try await body.next() })
        } onCancel: {
            end(with: CancellationError())
        }
    }

    private func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await inbox.next { loop.run(.goOn(self)) }
        } onCancel: {
            end(with: CancellationError())
        }
    }

    /// Ends the exchange before its time, unless it is over. What came in is dropped, and the connection closed.
    func end(with error: any Error) {
        if inbox.end(.failure(error), keepsWaiting: false) { loop.run(.stop(self)) }
    }
}
