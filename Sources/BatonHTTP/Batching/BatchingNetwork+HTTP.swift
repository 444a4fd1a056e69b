import Baton
public import Foundation

extension BatchingNetwork {
    /// Returns a closure that posts arrays to a URL over a transport.
    ///
    /// An answer that is neither a success nor an array throws `RelayError.httpStatus`. A redirect is not followed.
    ///
    /// - Parameters:
    ///   - url: The endpoint.
    ///   - transport: Carries the requests.
    ///   - headers: Headers of all requests; those of a request's configuration replace them.
    ///   - timeout: The longest time for one exchange.
    ///   - maximumBodySize: The largest body of an answer in bytes.
    ///   - clock: The clock that measures the timeout.
    public static func post(
        to url: URL, over transport: any HTTPTransport, headers: [String: String] = [:],
        timeout: Duration = .seconds(60), maximumBodySize: Int = 64 << 20,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Send {
        { body, further in
            var request = HTTPRequest(.post, url, body: .bytes(body))
            request.headers["Content-Type"] = "application/json"
            request.headers["Accept"] = "application/graphql-response+json, application/json;q=0.9"
            for (name, value) in headers { request.headers[name] = value }
            for (name, value) in further { request.headers[name] = value }
            return try await Deadline.run(within: timeout, on: clock, orThrow: HTTPError.timedOut(after: timeout)) {
                [request] in
                try await exchange(request, over: transport, maximumBodySize)
            }
        }
    }

    private static func exchange(
        _ request: HTTPRequest, over transport: any HTTPTransport, _ maximumBodySize: Int
    ) async throws -> [UInt8] {
        let response = try await transport.send(request)
        var body: [UInt8] = []
        for try await piece in response.body {
            guard piece.count <= maximumBodySize - body.count else {
                throw HTTPError.bodyTooLarge(limit: maximumBodySize)
            }
            body += piece
        }
        let isArray = body.first { $0 > 0x20 } == UInt8(ascii: "[")
        guard (200..<300).contains(response.status) || isArray else {
            let head = AnswerHead(status: response.status, headers: response.headers)
            throw RelayError.httpStatus(
                response.status, body: String(decoding: body.prefix(HTTPAnswer.quotedBytes), as: UTF8.self),
                retryAfter: head.retryAfter())
        }
        return body
    }
}
