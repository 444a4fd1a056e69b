import BatonHTTP
import Foundation
import NIOHTTP1

/// The host, port and resource of a WebSocket URL.
struct WebSocketTarget: Sendable {
    let host: String
    let port: Int
    let isSecure: Bool
    /// Path and query.
    let resource: String

    /// Reads a URL; nil if it has no host or another scheme than those of WebSocket and HTTP.
    init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.host, !host.isEmpty
        else { return nil }
        switch parts.scheme?.lowercased() {
        case "ws", "http": isSecure = false
        case "wss", "https": isSecure = true
        default: return nil
        }
        // An address of IPv6 stands in brackets in a URL.
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (isSecure ? 443 : 80)
        let path = parts.percentEncodedPath
        resource = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// The value of `Host`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The name for TLS; nil for an address, which cannot be one.
    var serverName: String? {
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
        return isAddress ? nil : host
    }
}

/// The head of the opening handshake (RFC 6455, 4.1), and the check of its response.
enum WebSocketHandshake {
    private static let own: Set<String> = [
        "host", "connection", "upgrade", "content-length", "transfer-encoding", "sec-websocket-key",
        "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions",
    ]

    /// Returns the head of the request; the upgrade handler adds `Connection`, `Upgrade`, key and version.
    static func request(
        to target: WebSocketTarget, headers: BatonHTTP.HTTPHeaders, subprotocols: [String]
    ) -> HTTPRequestHead {
        var fields = NIOHTTP1.HTTPHeaders([("Host", target.authority)])
        for field in headers.fields where !own.contains(field.name.lowercased()) {
            fields.add(name: field.name, value: field.value)
        }
        if !subprotocols.isEmpty {
            fields.add(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
        }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: target.resource, headers: fields)
    }

    /// Returns the chosen subprotocol; nil if there is none.
    ///
    /// Throws if the server has chosen a subprotocol that was not offered.
    static func subprotocol(in head: HTTPResponseHead, offered: [String]) throws -> String? {
        guard head.headers["sec-websocket-extensions"].isEmpty else {
            throw HTTPError.notWebSocket(reason: "it wants an extension that was not offered")
        }
        let chosen = head.headers[canonicalForm: "sec-websocket-protocol"]
        guard chosen.count <= 1, chosen.allSatisfy({ offered.contains(String($0)) }) else {
            throw HTTPError.notWebSocket(reason: "it wants a subprotocol that was not offered")
        }
        return chosen.first.map(String.init)
    }
}
