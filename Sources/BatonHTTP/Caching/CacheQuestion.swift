import Baton

/// A query for which the cache may have a response.
struct CacheQuestion: Sendable {
    var request: NetworkRequest
    let key: CacheKey
    /// The greatest age that the request accepts.
    let maximumAge: Duration?
    /// True if the server must be asked.
    let mustConfirm: Bool

    init(_ request: NetworkRequest, _ wish: CacheControl, partition: String?) {
        self.request = request
        key = CacheKey(request, partition: partition)
        maximumAge = wish.maxAge
        mustConfirm = wish.isNoCache
    }

    /// Whether the request has the header `Authorization`, for which shared caches have a rule (RFC 9111, section 3.5).
    var hasCredential: Bool { request.header("authorization") != nil }

    /// The request, with the headers that ask the server to confirm a response.
    func request(confirming entry: CacheEntry?) -> NetworkRequest {
        guard let entry else { return request }
        var request = request
        for (name, value) in entry.validators { request.addHeader(name, value) }
        return request
    }
}
