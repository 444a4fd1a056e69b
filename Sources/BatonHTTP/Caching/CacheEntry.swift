import Baton
import BatonText

/// A response in the cache.
struct CacheEntry: Sendable {
    let body: [UInt8]
    private(set) var metadata: [String: String]
    private(set) var freshness: CacheFreshness
    /// The time at which the response was received or confirmed, on the cache's clock.
    private(set) var receivedAt: Duration
    /// The request's headers that `Vary` names, by their names in lower case.
    private(set) var varying: [String: String?]
    /// The fetch keys of the requests for which the server sent or confirmed the response, at most 16; the newest
    /// stands last.
    private(set) var fetchKeys: [String] = []
    /// The seconds since 1970 at `receivedAt`.
    private(set) var date = 0
    /// The clock of `receivedAt`; nil if the response was received by another process.
    private(set) var clock: ObjectIdentifier?
    /// The tags of the response in this process.
    var tags: [ResponseTag] = []
    /// The versions of the tags before the server was asked.
    var versions: [UInt64] = []
    /// The same in the storage that several processes share; nil if it was out of reach.
    var sharedVersions: [UInt64]?
    /// True if the response depended on credentials or has a field for one user, so that no other process gets it.
    var staysHere = false
    /// True if `varying` and `fetchKeys` have digests in place of the values.
    private var hasDigests = false

    private static let maximumFetchKeys = 16

    /// Makes an entry; nil if `Vary` says that the response serves no other request.
    init?(_ response: NetworkResponse, to request: NetworkRequest, _ freshness: CacheFreshness, at time: Duration) {
        let names = Self.varying(response.metadata)
        guard !names.contains("*") else { return nil }
        varying = Dictionary(names.map { ($0, request.header($0)) }) { $1 }
        body = response.body
        metadata = response.metadata
        self.freshness = freshness
        receivedAt = time
        add(request.fetchKey)
    }

    /// Makes an entry of what another process has received.
    init(
        body: [UInt8], metadata: [String: String], freshness: CacheFreshness, date: Int, varying: [String: String?],
        fetchKeys: [String], versions: [UInt64]
    ) {
        self.body = body
        self.metadata = metadata
        self.freshness = freshness
        self.date = date
        self.varying = varying
        self.fetchKeys = Array(fetchKeys.suffix(Self.maximumFetchKeys))
        self.versions = versions
        receivedAt = .zero
        hasDigests = true
    }

    /// The digest of a secret, long enough that no other value is found for it.
    static func digest(_ value: String) -> String { String(SHA256.hexadecimal(of: value).prefix(32)) }

    /// The same response, with digests of what its requests had.
    var digested: CacheEntry {
        guard !hasDigests else { return self }
        var entry = self
        entry.varying = varying.mapValues { $0.map(Self.digest) }
        entry.fetchKeys = fetchKeys.map(Self.digest)
        entry.hasDigests = true
        return entry
    }

    /// The form in which this entry holds the value of a header or a fetch key.
    private func form(_ value: String) -> String { hasDigests ? Self.digest(value) : value }

    /// The same response on another clock. The present time is `now` on that clock, and `date` in
    /// seconds since 1970.
    func on(_ clock: ObjectIdentifier, now: Duration, date: () -> Int) -> CacheEntry {
        guard self.clock != clock else { return self }
        var entry = self
        let (residence, isTooLong) = date().subtractingReportingOverflow(self.date)
        entry.receivedAt = now - BoundedTime.of(.seconds(isTooLong ? .max : residence))
        entry.clock = clock
        return entry
    }

    /// Notes the clock of `receivedAt`, and the same time in seconds since 1970.
    mutating func note(_ clock: ObjectIdentifier, date: Int) {
        self.clock = clock
        self.date = date
    }

    /// The names in the field `Vary`, in lower case.
    static func varying(_ metadata: [String: String]) -> [String] {
        (metadata["vary"] ?? "").lowercased().split(separator: ",")
            .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
    }

    /// True if the response serves a request with these headers (RFC 9111, section 4.1).
    func serves(_ request: NetworkRequest) -> Bool {
        varying.allSatisfy { request.header($0.key).map(form) == $0.value }
    }

    /// True if the server sent or confirmed the response under the request's fetch key, or if the request has none.
    func knowsKey(of request: NetworkRequest) -> Bool {
        request.fetchKey.map { fetchKeys.contains(form($0)) } ?? true
    }

    /// The headers of a conditional request, by which the server can confirm the response (RFC 9111, section 4.3.1).
    var validators: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = metadata["etag"]
        headers["If-Modified-Since"] = metadata["last-modified"]
        return headers
    }

    /// Takes over the fetch keys of an older response.
    mutating func follow(_ older: CacheEntry) {
        if older.hasDigests { self = digested }
        let new = fetchKeys
        fetchKeys = hasDigests ? older.digested.fetchKeys : older.fetchKeys
        for key in new { append(key) }
    }

    /// The same response after the server has confirmed it with these fields (RFC 9111, section 4.3.4).
    func confirmed(
        by fields: [String: String], for request: NetworkRequest, at time: Duration, _ freshness: CacheFreshness
    ) -> CacheEntry {
        var entry = self
        entry.metadata = Self.merged(metadata, fields)
        entry.freshness = freshness
        entry.receivedAt = time
        entry.add(request.fetchKey)
        return entry
    }

    /// The fields of a stored response after a confirmation. Fields that describe the body stay.
    static func merged(_ stored: [String: String], _ fields: [String: String]) -> [String: String] {
        // The field `Age` of the stored response says nothing about the confirmed response.
        stored.filter { $0.key != "age" }.merging(fields.filter { $0.key != "status" && !$0.key.hasPrefix("content-") })
        { $1 }
    }

    /// The response to a request at a time. The text `use` becomes the metadata `cache`.
    func response(at time: Duration, _ use: String) -> NetworkResponse {
        let age = freshness.age(after: time - receivedAt).milliseconds / 1_000
        return NetworkResponse(
            body: body, metadata: metadata.merging(["age": String(age), "cache": use]) { $1 })
    }

    /// The time for which the response is of any use.
    var keepTime: Duration { freshness.keepTime(hasValidator: !validators.isEmpty) }

    /// The approximate memory of the response, in bytes.
    var cost: Int { 256 + body.count + metadata.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.value.utf8.count } }

    private mutating func add(_ key: String?) {
        if let key { append(form(key)) }
    }

    private mutating func append(_ key: String) {
        fetchKeys.removeAll { $0 == key }
        fetchKeys.append(key)
        if fetchKeys.count > Self.maximumFetchKeys { fetchKeys.removeFirst() }
    }
}
