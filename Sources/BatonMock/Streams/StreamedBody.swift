import BatonHTTP

/// A body whose length is not known when it begins: in chunks, or up to the end of the connection.
struct StreamedBody {
    private let connection: Connection
    private let isChunked: Bool
    /// True if another request may follow.
    let keepsConnection: Bool

    init(_ connection: Connection, isChunked: Bool, keeps: Bool) {
        self.connection = connection
        self.isChunked = isChunked
        keepsConnection = isChunked && keeps
    }

    /// Sends the head and what stands before the first message; false if the client is gone.
    func begin(_ format: StreamFormat) -> Bool {
        var headers: HTTPHeaders = ["Content-Type": format.contentType, "X-Accel-Buffering": "no"]
        if isChunked { headers["Transfer-Encoding"] = "chunked" }
        return connection.send(MockResponse.head(200, headers, keepsConnection: keepsConnection))
            && send(format.opening)
    }

    /// Sends a piece; false if the client is gone.
    func send(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard isChunked else { return connection.send(bytes) }
        return connection.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
    }

    /// Says that nothing more follows.
    func end() -> Bool { !isChunked || connection.send(Array("0\r\n\r\n".utf8)) }
}
