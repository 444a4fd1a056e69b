import Baton

/// A query for which the cache may have a response.
struct CacheQuestion: Sendable {
    var request: NetworkRequest
    let key: ResponseKey
    /// The greatest age that the request accepts.
    let maximumAge: Duration?
    /// True if the server must be asked.
    let mustConfirm: Bool

    init(_ request: NetworkRequest, _ wish: CacheControl, _ key: ResponseKey) {
        self.request = request
        self.key = key
        maximumAge = wish.maxAge
        mustConfirm = wish.isNoCache
    }

    /// Whether the request has the header `Authorization`, for which shared caches have a rule (RFC 9111, section 3.5).
    var hasCredential: Bool { request.header("authorization") != nil }

    /// Whether the request has a header that names its user.
    var namesUser: Bool {
        ["authorization", "proxy-authorization", "cookie"].contains { request.header($0) != nil }
    }

    /// Whether one process may ask the server for all. A request that wants more than what is kept asks for itself.
    var mayWait: Bool { key.digest != nil && !namesUser && !mustConfirm && request.fetchKey == nil }

    /// Whether a response may be used without the server, apart from its age.
    func accepts(_ entry: CacheEntry) -> Bool { !mustConfirm && entry.knowsKey(of: request) }

    /// How the response of a look may be used at a time.
    func use(_ look: CacheLook, at now: Duration) -> CacheFreshness.Use {
        guard let entry = look.entry, !look.isOutdated, accepts(entry) else { return .stale }
        return entry.freshness.use(after: now - entry.receivedAt, limit: maximumAge)
    }

    /// The request, with the headers that ask the server to confirm a response.
    func request(confirming entry: CacheEntry?) -> NetworkRequest {
        guard let entry else { return request }
        var request = request
        for (name, value) in entry.validators { request.addHeader(name, value) }
        return request
    }
}
