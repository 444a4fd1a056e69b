import Baton
import Foundation

/// The HTTP requests of the single connection mode.
struct EventStreamExchanges: Sendable {
    let url: URL
    let transport: any HTTPTransport
    let timeout: Duration
    let silenceTimeout: Duration?
    let limit: Int
    let clock: any Clock<Duration>
    let headers: EventStreamNetwork.Headers
    /// The credentials of the newest requests.
    let sent = SentCredentials()

    static let tokenHeader = "X-GraphQL-Event-Stream-Token"
    private static let tokenLimit = 4096
    private static let quotedBytes = 500

    /// Reserves a stream, opens it and reads it. Returns the reason why it has ended.
    func run(
        opened: @escaping @Sendable (String) -> Void, event: @escaping @Sendable (ServerSentEvent) -> Void
    ) async -> any Error {
        do {
            let token = try await reserve()
            let response = try await exchange(.get, token: token, accept: "text/event-stream")
            let type = response.headers["Content-Type"]
            guard (200..<300).contains(response.status) else { throw try await refusal(response) }
            guard type?.lowercased().hasPrefix("text/event-stream") == true else {
                throw RelayError.contentType(type, body: "")
            }
            opened(token)
            var parser = EventStreamParser(limit: limit)
            var (events, bytes) = (0, 0)
            while let piece = try await next(of: response.body) {
                bytes += piece.count
                var complete: [ServerSentEvent] = []
                try parser.read(piece) { complete.append($0) }
                events += complete.count
                for item in complete { event(item) }
            }
            return RelayError.StreamError.closedEarly(responses: events, bytes: bytes)
        } catch {
            return error
        }
    }

    /// Returns the next piece of the stream. Fails after too long a silence, since only arriving bytes prove the
    /// connection.
    private func next(of body: HTTPPieces) async throws -> [UInt8]? {
        let next: @Sendable () async throws -> [UInt8]? = {
            var iterator = body.makeAsyncIterator()
            return try await iterator.next()
        }
        guard let silenceTimeout else { return try await next() }
        return try await Deadline.run(
            within: silenceTimeout, on: clock, orThrow: HTTPError.stalled(after: silenceTimeout), next)
    }

    private func reserve() async throws -> String {
        let response = try await exchange(.put, token: nil, accept: "text/plain")
        guard response.status == 201 || response.status == 200 else { throw try await refusal(response) }
        let bytes = try await beginning(of: response.body, Self.tokenLimit)
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // A token becomes the value of a header field, so that it must not hold a character that ends the field.
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw RelayError.contentType(response.headers["Content-Type"], body: "")
        }
        return token
    }

    /// Sends an operation, whose results come over the stream.
    func send(_ body: [UInt8], token: String) async -> EventStreamEngine.Sending {
        do {
            let response = try await exchange(.post, token: token, accept: "application/json", body: body)
            if response.status == 202 { return .accepted }
            let bytes = try await beginning(of: response.body, limit)
            let text = String(decoding: bytes.prefix(Self.quotedBytes), as: UTF8.self)
            let isJSON = response.headers["Content-Type"]?.lowercased().contains("json") == true
            guard isJSON, let value = try? JSONValue.parse(bytes), value["errors"] != nil || value["data"] != nil else {
                // Some servers accept with another status and an empty body.
                if (200..<300).contains(response.status), bytes.isEmpty { return .accepted }
                return .failed(
                    WholeResponse.failure(
                        ResponseHead(status: response.status, headers: response.headers), quoting: text, accept: nil))
            }
            var metadata = ["status": String(response.status)]
            metadata["retry-after"] = response.headers["Retry-After"]
            return .answered(NetworkResponse(body: bytes, metadata: metadata))
        } catch {
            return .failed(error)
        }
    }

    /// Stops an operation on the server. Errors are ignored, because the operation is over in any case.
    func delete(_ id: Int, token: String) async {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let others = components?.queryItems ?? []
        components?.queryItems = others + [URLQueryItem(name: "operationId", value: String(id))]
        _ = try? await exchange(.delete, token: token, accept: "*/*", url: components?.url)
    }

    private func exchange(
        _ method: HTTPRequest.Method, token: String?, accept: String, body: [UInt8]? = nil, url: URL? = nil
    ) async throws -> HTTPResponse {
        let (response, accepted) = try await Deadline.run(
            within: timeout, on: clock, orThrow: HTTPError.timedOut(after: timeout)
        ) {
            var request = HTTPRequest(method, url ?? self.url, headers: try await headers())
            request.headers["Accept"] = request.headers["Accept"] ?? accept
            if let token { request.headers[Self.tokenHeader] = token }
            sent.add(nil, request.headers)
            if let body {
                request.headers["Content-Type"] = "application/json"
                request.body = .bytes(body)
            }
            return (try await transport.send(request), request.headers["Accept"])
        }
        if response.status == 406 { throw try await refusal(response, accept: accepted) }
        return response
    }

    private func refusal(_ response: HTTPResponse, accept: String? = nil) async throws -> RelayError {
        let bytes = try await beginning(of: response.body, Self.quotedBytes)
        let head = ResponseHead(status: response.status, headers: response.headers)
        return WholeResponse.failure(head, quoting: String(decoding: bytes, as: UTF8.self), accept: accept)
    }

    /// Reads a body up to a number of bytes.
    private func beginning(of body: HTTPPieces, _ count: Int) async throws -> [UInt8] {
        try await Deadline.run(within: timeout, on: clock, orThrow: HTTPError.timedOut(after: timeout)) {
            var bytes: [UInt8] = []
            for try await piece in body {
                bytes += piece.prefix(count - bytes.count)
                if bytes.count >= count { break }
            }
            return bytes
        }
    }
}
