import Foundation
import TestServer

@testable import BatonHTTP

/// The server's side of one WebSocket connection, after the handshake.
final class FramePeer {
    private let writer: LoopbackServer.Writer
    private var reader = WebSocketReader(maximumMessageSize: 1 << 20, expectsMasks: true)

    /// Accepts a handshake with a key, and sends bytes together with the response.
    init(_ writer: LoopbackServer.Writer, key: String, subprotocol: String? = nil, with bytes: [UInt8] = []) {
        self.writer = writer
        var head = "HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Accept: \(SHA1.acceptance(of: key))\r\n"
        if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        writer.write(Array((head + "\r\n").utf8) + bytes)
    }

    @discardableResult
    func send(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8], isFinal: Bool = true) -> Bool {
        writer.write(WebSocketFrame.bytes(opcode, payload, isFinal: isFinal, mask: nil))
    }

    func close(_ code: Int) { writer.write(WebSocketFrame.close(code, "", mask: nil)) }

    /// Waits for the next event; nil at the end of the connection.
    func next() -> WebSocketReader.Event? {
        while true {
            if let event = try? reader.next() { return event }
            let bytes = writer.read()
            if bytes.isEmpty { return nil }
            reader.append(bytes)
        }
    }

    /// Reads to the end of the connection; returns the events.
    func rest() -> [WebSocketReader.Event] {
        var events: [WebSocketReader.Event] = []
        while let event = next() { events.append(event) }
        while !writer.read().isEmpty {}
        return events
    }
}

extension LoopbackServer {
    /// A server that accepts the handshakes that come in, and hands each connection to a closure.
    static func accepting(
        _ subprotocol: String? = nil, with bytes: [UInt8] = [], _ serve: @escaping @Sendable (FramePeer) -> Void
    ) throws -> LoopbackServer {
        try LoopbackServer { request in
            .written { writer in
                let key = request.headers["sec-websocket-key"] ?? ""
                serve(FramePeer(writer, key: key, subprotocol: subprotocol, with: bytes))
            }
        }
    }
}
