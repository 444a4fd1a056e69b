import Baton

/// Keeps responses in the memory of this process.
///
/// State: guarded by a lock of its own, a leaf.
public final class ResponseMemory: ResponseStorage {
    private struct State {
        var cache: ResponseCache
        var versions = TagVersions()
        var leases = LeaseTable()
    }

    private let state: Guarded<State>
    private let time: ElapsedTime

    /// Makes a memory.
    ///
    /// - Parameters:
    ///   - maximumBytes: The approximate limit on the memory of all responses. The one that was not used for the
    ///     longest time is dropped first.
    ///   - clock: The clock on which leases end.
    public init(maximumBytes: Int = 16 << 20, clock: any Clock<Duration> = ContinuousClock()) {
        state = Guarded(State(cache: ResponseCache(maximumBytes: maximumBytes)))
        time = ElapsedTime(on: clock)
    }

    /// The approximate memory of all responses, in bytes.
    public var bytes: Int { state.withLock(\.cache.bytes) }

    /// Returns the response that serves the request, and the versions of the tags.
    public func read(_ key: ResponseKey) -> ResponseReading {
        state.withLock { state in
            ResponseReading(
                response: Self.entry(key, &state.cache).map(StoredResponse.init), versions: state.versions.of(key.tags))
        }
    }

    /// Keeps a response, unless it is outdated already.
    public func write(_ response: StoredResponse, _ key: ResponseKey) {
        state.withLock { state in
            guard state.versions.of(key.tags) == response.versions else { return }
            let place = response.entry.freshness.isPublic ? key.exact.shared : key.exact
            state.cache.store(response.entry, place, for: key.request)
        }
    }

    /// Removes the responses to the request.
    public func remove(_ key: ResponseKey) {
        state.withLock { state in
            state.cache.remove(key.exact)
            state.cache.remove(key.exact.shared)
        }
    }

    /// Gives the tags new versions; removes their responses if they are of no use.
    public func invalidate(_ tags: Set<ResponseTag>, removing: Bool) {
        state.withLock { state in
            state.versions.change(tags)
            if removing { state.cache.remove(tags: tags) }
        }
    }

    /// Grants a lease, unless somebody has it.
    public func lease(_ key: ResponseKey, for duration: Duration) -> ResponseLease {
        let now = time.value
        return state.withLock { $0.leases.lease(key.exact, for: duration, at: now) }
    }

    /// Ends a lease.
    public func release(_ key: ResponseKey, token: UInt64, isUnneeded: Bool, for duration: Duration) {
        let now = time.value
        state.withLock {
            $0.leases.release(key.exact, token: token, isUnneeded: isUnneeded, for: duration, at: now)
        }
    }

    /// Whether the tags of a key still have these versions.
    func isCurrent(_ versions: [UInt64], _ key: ResponseKey) -> Bool {
        state.withLock { $0.versions.of(key.tags) == versions }
    }

    private static func entry(_ key: ResponseKey, _ cache: inout ResponseCache) -> CacheEntry? {
        if let entry = cache.entry(key.exact, for: key.request) { return entry }
        guard key.exact.hasHeaders else { return nil }
        let shared = cache.entry(key.exact.shared, for: key.request)
        return shared?.freshness.isPublic == true ? shared : nil
    }
}
