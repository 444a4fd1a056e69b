/// What the callbacks of transfers have noted, until the thread has time for it.
final class CurlNews {
    /// The exchanges that have got a connection.
    var connected: [CurlExchange] = []
    /// The exchanges that have got the head of their response, and whether it came over HTTP/2.
    var heads: [(exchange: CurlExchange, isHTTP2: Bool)] = []
}
