import BatonHTTP
import Foundation

/// The opening handshake of a WebSocket, as a server answers it (RFC 6455, 4.2).
struct SocketHandshake {
    let subprotocol: WebSocketOptions.Subprotocol
    /// The bytes that open the connection.
    let response: [UInt8]

    /// Whether a request asks for a WebSocket.
    static func isWanted(by request: ReceivedRequest) -> Bool {
        ReceivedRequest.names(in: request.headers["Upgrade"]).contains("websocket")
    }

    init(_ request: ReceivedRequest) throws(HTTPProblem) {
        guard request.method == "GET", !request.isOldVersion,
            ReceivedRequest.names(in: request.headers["Connection"]).contains("upgrade")
        else {
            throw HTTPProblem(400, "A WebSocket begins with a GET with 'Connection: Upgrade'.")
        }
        guard request.headers["Sec-WebSocket-Version"] == "13" else {
            throw HTTPProblem(
                426, "This server speaks version 13 of WebSockets.", headers: ["Sec-WebSocket-Version": "13"])
        }
        guard let key = request.headers["Sec-WebSocket-Key"], Data(base64Encoded: key)?.count == 16 else {
            throw HTTPProblem(400, "'Sec-WebSocket-Key' is the base64 form of 16 bytes.")
        }
        let offered = ReceivedRequest.names(in: request.headers["Sec-WebSocket-Protocol"])
        guard let chosen = offered.lazy.compactMap({ WebSocketOptions.Subprotocol(rawValue: $0) }).first else {
            throw HTTPProblem(400, "Offer the subprotocol 'graphql-transport-ws', or the older 'graphql-ws'.")
        }
        subprotocol = chosen
        response = MockResponse.head(
            101,
            [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": SHA1.acceptance(of: key),
                "Sec-WebSocket-Protocol": chosen.rawValue,
            ], keepsConnection: true)
    }
}
