import AsyncHTTPClient
import BatonHTTP
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// The body of one outgoing request. It distinguishes errors of the body's source from those of the connection.
final class OutgoingBody: Sendable {
    private let body: HTTPRequest.Body
    private let thrown = NIOLockedValueBox<(any Error)?>(nil)

    init(_ body: HTTPRequest.Body) {
        self.body = body
    }

    /// The error that ended the source; nil if it did not fail.
    var failure: (any Error)? { thrown.withLockedValue { $0 } }

    /// The request in the types of async-http-client.
    func message(for request: HTTPRequest) -> HTTPClientRequest {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers.fields { message.headers.add(name: field.name, value: field.value) }
        // async-http-client decompresses bodies, but does not ask for compression by itself.
        if !message.headers.contains(name: "accept-encoding") {
            message.headers.add(name: "accept-encoding", value: "gzip, deflate")
        }
        switch body {
        case .none: break
        case .bytes(let bytes): message.body = .bytes(ByteBuffer(bytes: bytes))
        case .pieces(let pieces, let length):
            message.body = .stream(Buffers(pieces: pieces, outgoing: self), length: .known(Int64(length)))
        }
        return message
    }

    fileprivate func fail(_ error: any Error) {
        thrown.withLockedValue { $0 = error }
    }
}

/// The pieces of a body as buffers.
private struct Buffers: AsyncSequence, Sendable {
    let pieces: HTTPPieces
    let outgoing: OutgoingBody

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: HTTPPieces.AsyncIterator
        let outgoing: OutgoingBody

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await pieces.next().map { ByteBuffer(bytes: $0) }
            } catch {
                outgoing.fail(error)
                throw error
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: pieces.makeAsyncIterator(), outgoing: outgoing)
    }
}
