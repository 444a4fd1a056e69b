import BatonHTTP
import NIOCore
import NIOWebSocket

/// One open WebSocket connection on a channel.
final class NIOWebSocketConnection: WebSocketConnection {
    let subprotocol: String?
    private let channel: any Channel
    private let inbox: WebSocketInbox

    init(channel: any Channel, inbox: WebSocketInbox, subprotocol: String?) {
        self.channel = channel
        self.inbox = inbox
        self.subprotocol = subprotocol
    }

    deinit {
        channel.triggerUserOutboundEvent(WebSocketHandler.Closing(code: 1001, reason: ""), promise: nil)
    }

    /// Sends a message, and returns when it has left for the network, so that a caller is not faster than the server.
    ///
    /// Cancelling the calling task closes the connection, because a server that does not read would hold the message up
    /// for ever.
    func send(_ text: [UInt8]) async throws {
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: text))
        try await withTaskCancellationHandler {
            do {
                try await channel.writeAndFlush(frame).get()
            } catch {
                try Task.checkCancellation()
                throw HTTPError.make(of: error)
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    func receive() async throws -> WebSocketMessage {
        try await inbox.receive()
    }

    func close(code: Int, reason: String) async {
        try? await channel.triggerUserOutboundEvent(WebSocketHandler.Closing(code: code, reason: reason)).get()
    }
}
