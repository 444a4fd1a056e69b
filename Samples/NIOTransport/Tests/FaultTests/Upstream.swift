import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// The form of a response. The request names it in a header field.
enum Shape: String, CaseIterable, Sendable {
    /// One JSON text with its length.
    case length
    /// One JSON text in chunks.
    case chunks
    /// One JSON text up to the end of the connection.
    case close
    /// Two parts of `multipart/mixed`.
    case parts
    /// Three events of an event stream.
    case events

    static let header = "X-Shape"

    fileprivate func head(_ answer: [String]) -> HTTPResponseHead {
        let type =
            switch self {
            case .length, .chunks, .close: "application/json"
            case .parts: "multipart/mixed; boundary=\"-\""
            case .events: "text/event-stream"
            }
        var head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Type": type])
        switch self {
        case .length: head.headers.add(name: "Content-Length", value: "\(answer.joined().utf8.count)")
        case .close: head.version = .http1_0
        case .chunks, .parts, .events: break
        }
        return head
    }

    /// The body, chunk by chunk.
    fileprivate func answer(_ ship: String) -> [String] {
        switch self {
        case .length, .close: [#"{"data":{"ship":{"id":"ship:1","name":"\#(ship)"}}}"#]
        case .chunks: [#"{"data":{"ship":{"id":"#, #""ship:1","name":"\#(ship)"}}}"#]
        case .parts:
            [
                "---\r\nContent-Type: application/json\r\n\r\n"
                    + #"{"data":{"ship":{"id":"ship:1","name":"\#(ship)"}},"#
                    + #""pending":[{"id":"0","path":["ship"],"label":"ShipWithLog$defer$log"}],"hasNext":true}"#,
                "\r\n---\r\nContent-Type: application/json\r\n\r\n"
                    + #"{"incremental":[{"id":"0","data":{"log":"At sea."}}],"completed":[{"id":"0"}],"hasNext":false}"#
                    + "\r\n-----\r\n",
            ]
        case .events:
            (1...3).map { "event: next\ndata: {\"data\":{\"ticks\":\($0)}}\n\n" } + ["event: complete\ndata:\n\n"]
        }
    }
}

/// A GraphQL server that gives one fixed answer in every shape, and closes the connection after it.
///
/// The ship is called Aurora, and Zephyr in the response to a request with a fault.
struct Upstream {
    let port: Int
    private let isSecure: Bool

    /// Serves while `test` runs, with TLS if there is a certificate.
    static func run(_ certificate: Certificate? = nil, _ test: (Upstream) async throws -> Void) async throws {
        try await Loopback.run { channel in
            if let certificate { try channel.pipeline.syncOperations.addHandler(certificate.handler()) }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            let connection = try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                wrappingChannelSynchronously: channel)
            Task { try? await serve(connection) }
        } _: { port in
            try await test(Upstream(port: port, isSecure: certificate != nil))
        }
    }

    var url: URL {
        get throws { try #require(URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)/graphql")) }
    }

    private static func serve(
        _ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    ) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var shape = Shape.length
            var ship = ""
            for try await part in inbound {
                if case .head(let head) = part {
                    shape = try #require(Shape(rawValue: head.headers.first(name: Shape.header) ?? "length"))
                    ship = head.headers.contains(name: Fault.header) ? "Zephyr" : "Aurora"
                }
                guard case .end = part else { continue }
                let answer = shape.answer(ship)
                try await outbound.write(.head(shape.head(answer)))
                for piece in answer { try await outbound.write(.body(.byteBuffer(ByteBuffer(string: piece)))) }
                try await outbound.write(.end(nil))
                return
            }
        }
    }

    /// Sends a request and returns all bytes of the response.
    func response(to request: [HTTPClientRequestPart]) async throws -> RawResponse {
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HTTPRequestEncoder())
                    return try NIOAsyncChannel<ByteBuffer, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        let bytes = try await connection.executeThenClose { inbound, outbound in
            // All parts are written at once, because the server may answer and close before the last part of the
            // request.
            try await outbound.write(contentsOf: request)
            return try await inbound.reduce(into: [UInt8]()) { $0 += $1.readableBytesView }
        }
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        return RawResponse(head: String(decoding: bytes[..<end], as: UTF8.self), body: Array(bytes[end...]))
    }
}

/// Listening sockets on free ports of 127.0.0.1.
enum Loopback {
    /// Listens while `test` runs, and calls `accept` on the event loop of each connection.
    static func run(
        _ accept: @escaping @Sendable (any Channel) throws -> Void, _ test: (_ port: Int) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await test(try #require(server.localAddress?.port))
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }
}
