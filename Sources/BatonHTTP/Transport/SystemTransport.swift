/// The transports of networks that were given none.
enum SystemTransport {
    /// One over libcurl on Linux, and over URLSession on Apple's systems.
    static func makeHTTP() -> any HTTPTransport {
        #if canImport(Darwin)
            URLSessionTransport()
        #else
            do { return try CurlTransport() } catch { return UnavailableTransport(error) }
        #endif
    }

    /// The same for sockets.
    static func makeWebSocket() -> any WebSocketTransport {
        #if canImport(Darwin)
            URLSessionWebSocketTransport()
        #else
            do { return try CurlWebSocketTransport() } catch { return UnavailableTransport(error) }
        #endif
    }
}
