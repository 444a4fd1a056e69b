/// Keeps the responses of a ``CachingInterceptor``, in the memory of a process or outside of it.
///
/// ``ResponseMemory`` is the storage of each cache. A storage outside of the process lets several processes share what
/// one of them has received; the cache then asks both.
///
/// ### Tags
///
/// Each tag has a version in the storage. A response is written with the versions of its tags that were read before the
/// server was asked, and counts as outdated as soon as they differ from those that are read with it. So an invalidation
/// reaches every process with its next read, and a response that was on its way meanwhile is of no use.
///
/// A version must never come back: a storage that may lose a version (because it was dropped, or the storage begins
/// empty) gives the tag a new random version when it is read.
///
/// ### Failures
///
/// Methods throw if the storage is out of reach. The cache gives each call a short time, asks nothing for a while after
/// a failure, and goes on with the memory of its process. Invalidations are sent again before anything is read.
public protocol ResponseStorage: Sendable {
    /// Returns the response that serves the request of the key, outdated or not, and the versions of the key's tags,
    /// in their order, both as they are at one moment.
    ///
    /// A response that was written under another key, and came to this one in whatever way, is none.
    func read(_ key: ResponseKey) async throws -> ResponseReading

    /// Keeps a response in place of the one that served the same request, for `keepTime` at most.
    func write(_ response: StoredResponse, _ key: ResponseKey) async throws

    /// Removes the responses to the request of the key.
    func remove(_ key: ResponseKey) async throws

    /// Gives the tags new versions.
    ///
    /// - Parameters:
    ///   - tags: The tags whose responses are outdated from now on.
    ///   - removing: Whether no cache will use the outdated responses, not even to have them confirmed.
    func invalidate(_ tags: Set<ResponseTag>, removing: Bool) async throws

    /// Asks for the right to ask the server on behalf of all processes. The right ends by itself after a time.
    func lease(_ key: ResponseKey, for duration: Duration) async throws -> ResponseLease

    /// Ends a right that was granted, unless it has ended already and somebody else has it.
    ///
    /// - Parameters:
    ///   - key: The key of the request.
    ///   - token: The token of the lease.
    ///   - isUnneeded: Whether the response serves only the process that received it. Then all processes are told for
    ///     `duration` that they need no lease.
    ///   - duration: The time of a lease.
    func release(_ key: ResponseKey, token: UInt64, isUnneeded: Bool, for duration: Duration) async throws
}
