import Baton
import BatonHTTP
import Foundation

/// A transport that keeps its requests, and gives the responses of a test.
final class ScriptedTransport: HTTPTransport {
    /// A request with the body that would be sent.
    struct Sent: Sendable {
        let method: String
        let url: String
        let headers: HTTPHeaders
        let body: [UInt8]
        /// The announced length.
        let length: Int

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Answer: Sendable {
        var status = 200
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        var body: HTTPPieces

        init(_ status: Int = 200, _ headers: HTTPHeaders = ["Content-Type": "application/json"], _ body: HTTPPieces) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            var fields = headers
            if fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
            return Answer(status, fields, .whole(text))
        }
    }

    private let log = Guarded<[Sent]>([])
    private let respond: @Sendable (Sent) async throws -> Answer

    init(_ respond: @escaping @Sendable (Sent) async throws -> Answer) {
        self.respond = respond
    }

    var sent: [Sent] { log.withLock(\.self) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var body: [UInt8] = []
        var length = 0
        switch request.body {
        case .none: break
        case .bytes(let bytes): (body, length) = (bytes, bytes.count)
        case .pieces(let pieces, let count):
            length = count
            for try await piece in pieces { body += piece }
        }
        let sent = Sent(
            method: request.method.rawValue, url: request.url.absoluteString, headers: request.headers, body: body,
            length: length)
        log.withLock { $0.append(sent) }
        let answer = try await respond(sent)
        return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }
}

extension HTTPPieces {
    /// A body of one piece.
    static func whole(_ text: String) -> HTTPPieces { pieces([text]) }

    static func pieces(_ texts: [String]) -> HTTPPieces {
        let rest = Guarded(texts[...])
        return HTTPPieces { rest.withLock { $0.popFirst().map { Array($0.utf8) } } }
    }

    /// These pieces, and then silence until the reading task is cancelled.
    static func silence(after texts: [String]) -> HTTPPieces {
        let rest = Guarded(texts[...])
        return HTTPPieces {
            if let text = rest.withLock({ $0.popFirst() }) { return Array(text.utf8) }
            for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3_600)) }) {
                try Task.checkCancellation()
            }
            throw CancellationError()
        }
    }
}
