/// What the storages hold for a question at one moment.
struct CacheLook: Sendable {
    /// The best response, on the clock of the cache.
    var entry: CacheEntry?
    /// Whether tags of the response have changed since the server was asked for it.
    var isOutdated = false
    /// The versions of the tags in the memory of the process.
    var versions: [UInt64] = []
    /// The versions of the tags in the shared storage; nil if there is none, or it is out of reach.
    var sharedVersions: [UInt64]?
}
