import Baton
import Foundation

/// The opening handshake of a client (RFC 6455, 4.1): what it sends, and what it makes of the response.
struct WebSocketHandshake {
    /// What the response means.
    enum Verdict {
        /// More of it has to come.
        case incomplete
        /// The connection is open; these bytes behind the response are frames.
        case accepted(subprotocol: String?, rest: ArraySlice<UInt8>)
    }

    /// The fields that the handshake sets itself.
    private static let own: Set<String> = [
        "host", "connection", "upgrade", "content-length", "transfer-encoding", "sec-websocket-key",
        "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions",
    ]
    private static let largestHead = 64 << 10
    /// The number of bytes of a refusal's body that the error quotes.
    private static let quotedBytes = 500

    /// The request as bytes.
    let request: [UInt8]
    private let offered: [String]
    private let expectedAccept: String
    /// The bytes of the response whose line is not whole yet, then those behind its head.
    private var rest: [UInt8] = []
    private var head = HTTPHeadReader(maximumSize: largestHead, acceptsSwitch: true)
    private var hasHead = false

    /// Prepares a handshake with a key of 16 bytes.
    ///
    /// - Throws: ``HTTPError`` if a header field cannot be sent.
    init(
        host: String, resource: String, headers: HTTPHeaders, subprotocols: [String], key: [UInt8]
    ) throws(HTTPError) {
        let key = Data(key).base64EncodedString()
        expectedAccept = SHA1.acceptance(of: key)
        offered = subprotocols
        var lines = ["GET \(resource) HTTP/1.1", "Host: \(host)", "Connection: Upgrade", "Upgrade: websocket"]
        lines += ["Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13"]
        if !subprotocols.isEmpty {
            lines.append(try HTTPHeaders.Field("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")).line())
        }
        for field in headers.fields where !Self.own.contains(field.name.lowercased()) {
            lines.append(try field.line())
        }
        request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Takes bytes of the response.
    ///
    /// - Parameter isEnd: True if nothing follows them.
    /// - Throws: `RelayError.httpStatus` if the server refuses, and an ``HTTPError`` if the response is none.
    mutating func take(_ bytes: some Collection<UInt8>, isEnd: Bool) throws -> Verdict {
        if hasHead {
            rest += bytes
        } else {
            try readHead(bytes)
        }
        if hasHead { return try verdict(head.status, head.headers, isEnd: isEnd) }
        guard !isEnd else { throw HTTPError.closed(reason: "closed by the server during the handshake") }
        return .incomplete
    }

    /// Reads the lines that end within these bytes. Each byte is looked at once.
    private mutating func readHead(_ bytes: some Collection<UInt8>) throws {
        var position = bytes.startIndex
        while !hasHead, let end = bytes[position...].firstIndex(of: 10) {
            let next = bytes.index(after: end)
            rest += bytes[position..<next]
            hasHead = try rest.withUnsafeBytes { try head.take($0) }
            rest = []
            position = next
        }
        rest += bytes[position...]
        guard hasHead || rest.count <= Self.largestHead else { throw HTTPError.notHTTP }
    }

    private func verdict(_ status: Int, _ headers: HTTPHeaders, isEnd: Bool) throws -> Verdict {
        guard status == 101 else {
            // A body in chunks is not quoted.
            let isChunked = headers["Transfer-Encoding"] != nil
            let length = isChunked ? 0 : headers["Content-Length"].flatMap { Int($0) } ?? Self.quotedBytes
            let quoted = max(min(length, Self.quotedBytes), 0)
            guard isEnd || rest.count >= quoted else { return .incomplete }
            throw RelayError.httpStatus(
                status, body: String(decoding: rest.prefix(quoted), as: UTF8.self), retryAfter: headers.retryAfter)
        }
        guard headers["Upgrade"]?.lowercased() == "websocket", Self.names(in: headers["Connection"]).contains("upgrade")
        else { throw HTTPError.notWebSocket(reason: "its fields 'Upgrade' and 'Connection' do not name the protocol") }
        guard headers["Sec-WebSocket-Accept"] == expectedAccept else {
            throw HTTPError.notWebSocket(reason: "its 'Sec-WebSocket-Accept' does not belong to the key of the request")
        }
        guard Self.names(in: headers["Sec-WebSocket-Extensions"]).isEmpty else {
            throw HTTPError.notWebSocket(reason: "it wants an extension that was not offered")
        }
        let chosen = headers["Sec-WebSocket-Protocol"]
        guard chosen.map({ offered.contains($0) }) ?? true else {
            throw HTTPError.notWebSocket(reason: "it wants a subprotocol that was not offered")
        }
        return .accepted(subprotocol: chosen, rest: rest[...])
    }

    /// The names of a list in a field, in lower case.
    private static func names(in value: String?) -> [String] {
        (value ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}

extension SHA1 {
    /// What a server answers to the key of a handshake (RFC 6455, 4.2.2).
    package static func acceptance(of key: String) -> String {
        Data(digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }
}
