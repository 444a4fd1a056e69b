public import Baton
public import Foundation

/// Answers queries from memory for as long as the server allows (RFC 9111), and asks the server to confirm older
/// responses.
///
/// ### Behavior
///
/// - Only complete responses to queries are kept, without errors and with status 200. `Cache-Control`, `Age`, `Date`,
///   `Expires`, `Vary`, `ETag` and `Last-Modified` of the response's metadata decide for how long. A response without
///   such a field is kept for `defaultAge`.
/// - An old response with `ETag` or `Last-Modified` is confirmed by the server (status 304) instead of being sent
///   again.
/// - `stale-while-revalidate` and `stale-if-error` of the server are followed.
/// - A request with a fetch key is answered from the cache only if a response was fetched under that key.
/// - Equal requests at the same time become one, unless the server forbids to keep the response. If the one that was
///   sent is cancelled, another of the equal requests is sent.
/// - Requests are equal only if their contexts are, apart from keys that do not affect the response
///   (`RequestContextKey.affectsResponse`). Headers that a step behind this one adds are not compared.
/// - All headers of equal requests are equal, so that no user gets the response of another user. Exceptions are
///   `Cache-Control` and the headers that trace a request: `traceparent`, `tracestate`, `baggage`, their counterparts
///   of B3, Jaeger, AWS, Google, Datadog and Sentry, `Request-ID`, `X-Request-ID` and `X-Correlation-ID`. A response
///   that is `public` serves requests with any headers, apart from those that `Vary` names.
/// - Credentials that a step behind this one adds are not compared. Without a `partition`, responses that depend on an
///   ``AuthenticationInterceptor`` behind this step are kept only if they are `public`. Credentials that a network adds
///   by itself need a `partition`.
/// - After a mutation, successful or not, responses are removed as `afterMutation` says, before the response to the
///   mutation is delivered. A response that is on its way at that time is delivered, but not kept.
/// - A request with `Cache-Control: no-store`, with a condition such as `If-None-Match`, or with files is passed on
///   unchanged. `no-cache` and `max-age` of a request are followed.
/// - With a `storage`, several processes share responses that are the same for everybody: those that are `public`, and
///   those with `s-maxage` to requests without headers. A response that depended on credentials, or that has a field
///   `Set-Cookie`, stays in the memory of its process, and so does the response to a request with a partition or with a
///   context that affects it. Only one process asks the server for a response, and an invalidation reaches every
///   process with its next request. If the storage is lost, each process goes on with its own memory.
/// - The metadata of a response from the cache has its `age` in seconds, and `cache`: `fresh`, `stale`, `confirmed`.
public final class CachingInterceptor: NetworkInterceptor {
    /// The treatment of kept responses after a mutation.
    public enum AfterMutation: Sendable {
        /// All responses stay.
        case keep
        /// All responses are removed.
        case removeAll
        /// All responses stay, but the server must confirm each one before its next use.
        case confirmAll
        /// The responses to the operations with these names, and those with these tags, are removed.
        case remove(@Sendable (NetworkRequest) -> Set<ResponseTag>)
    }

    /// The times of a storage that several processes share.
    public struct StorageLimits: Sendable {
        /// The longest time that a request waits for one answer of the storage.
        public var deadline: Duration
        /// The time for which a storage that has failed is not asked.
        public var pause: Duration
        /// The time after which the right of a process to ask the server for all ends, and for which others wait.
        public var lease: Duration

        /// Makes limits.
        public init(
            deadline: Duration = .milliseconds(100), pause: Duration = .seconds(1), lease: Duration = .seconds(5)
        ) {
            self.deadline = deadline
            self.pause = pause
            self.lease = lease
        }
    }

    /// The numbers of requests that the cache has and has not answered.
    public struct Statistics: Sendable, Hashable {
        /// The number of requests that were answered without the server.
        public internal(set) var hits = 0
        /// The number of requests for which the server confirmed a response.
        public internal(set) var confirmations = 0
        /// The number of requests whose response came from the server.
        public internal(set) var misses = 0
        /// The approximate memory of all responses, in bytes.
        public internal(set) var bytes = 0
        /// The number of times that the shared storage has failed or was too slow.
        public internal(set) var storageFailures = 0
    }

    let isShared: Bool
    let defaultAge: Duration?
    let partition: (@Sendable (NetworkRequest) -> String)?
    private let afterMutation: AfterMutation
    private let tags: (@Sendable (NetworkRequest) -> Set<ResponseTag>)?
    let clock: any Clock<Duration>
    let time: ElapsedTime
    let date: @Sendable () -> Int
    let table = CacheTable()
    let levels: CacheLevels

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - maximumBytes: The approximate limit on the memory of all responses.
    ///   - defaultAge: The time for which a response without fields about its lifetime is kept; nil if such responses
    ///     are not kept.
    ///   - isShared: True if the cache serves several users, as on a server that renders pages. Then `s-maxage` counts,
    ///     and `private` responses are not kept.
    ///   - afterMutation: The treatment of kept responses after a mutation.
    ///   - partition: Returns a text that is equal for all requests that may share responses, such as the id of the
    ///     user.
    ///   - storage: A storage that several processes share; nil if there is only the memory of this one. All processes
    ///     must have the same `isShared`, `afterMutation` and `tags`.
    ///   - storageLimits: The times of the shared storage.
    ///   - tags: Returns tags of the response to a query, by which it can be invalidated, such as `film:4`. They must
    ///     follow from the operation and its variables alone.
    ///   - clock: The clock that measures ages.
    ///   - date: Returns the seconds since 1970, to be compared with the field `Date`.
    public init(
        maximumBytes: Int = 16 << 20,
        defaultAge: Duration? = nil,
        isShared: Bool = false,
        afterMutation: AfterMutation = .removeAll,
        partition: (@Sendable (NetworkRequest) -> String)? = nil,
        storage: (any ResponseStorage)? = nil,
        storageLimits: StorageLimits = StorageLimits(),
        tags: (@Sendable (NetworkRequest) -> Set<ResponseTag>)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
    ) {
        self.isShared = isShared
        self.defaultAge = defaultAge.map(BoundedTime.of)
        self.afterMutation = afterMutation
        self.partition = partition
        self.tags = tags
        self.clock = clock
        self.date = date
        time = ElapsedTime(on: clock)
        let keepsOutdated = if case .confirmAll = afterMutation { true } else { false }
        levels = CacheLevels(
            memory: ResponseMemory(maximumBytes: maximumBytes, clock: clock),
            shared: storage.map { SharedStorage($0, storageLimits, isRemoving: !keepsOutdated, clock: clock) },
            keepsOutdated: keepsOutdated, time: time, date: date, clock: ObjectIdentifier(table))
    }

    /// The numbers of answered requests until now.
    public var statistics: Statistics {
        var statistics = table.statistics
        statistics.bytes = levels.memory.bytes
        statistics.storageFailures = levels.shared?.failures ?? 0
        return statistics
    }

    /// Removes all responses. Responses that are on their way are delivered, but not kept.
    ///
    /// Other processes with the same storage are told in the background, and in any case before this cache reads the
    /// storage again.
    public func removeAll() {
        levels.memory.invalidate([.all], removing: true)
        guard let shared = levels.shared else { return }
        shared.note([.all])
        RequestScope.$owner.withValue(nil) {
            _ = Task { await shared.send() }
        }
    }

    /// Invalidates responses by the names of their operations, by their tags, or all of them by `*`: in this process at
    /// once, and in all processes with the same storage when this method returns.
    ///
    /// If the storage is out of reach, they are told when it is back.
    public func invalidate(_ tags: Set<ResponseTag>) async {
        levels.invalidate(tags)
        await levels.shared?.send()
    }

    /// Answers the request from memory, or sends it on and keeps the response.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        switch request.kind {
        case .subscription: try await next(request, deliver)
        case .mutation: try await mutate(request, next, deliver)
        case .query:
            let wish = CacheControl(request.header("cache-control"))
            guard !wish.isNoStore, !request.isIncremental, !Self.hasCondition(request),
                request.configuration.uploads.isEmpty
            else {
                return try await next(request, deliver)
            }
            try await answer(CacheQuestion(request, wish, key(of: request)), next, deliver)
        }
    }

    private static func hasCondition(_ request: NetworkRequest) -> Bool {
        ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since"].contains { request.header($0) != nil }
    }

    private func key(of request: NetworkRequest) -> ResponseKey {
        let common = [ResponseTag.all, ResponseTag(request.operationName)]
        let own = tags?(request).subtracting(common).sorted { $0.name < $1.name } ?? []
        return ResponseKey(
            CacheKey(request, partition: partition?(request)), request,
            tags: common + own,
            hasDigests: levels.shared != nil)
    }

    // MARK: - Mutations

    /// Sends a mutation. Whoever has its response finds no older response, here or in another process.
    private func mutate(_ request: NetworkRequest, _ next: Next, _ deliver: @escaping Deliver) async throws {
        let isTold = Mark()
        do {
            try await next(request) { [self] response in
                if !isTold.set() { await mutated(request) }
                try await deliver(response)
                // Later parts may change more.
                if response.hasNext { isTold.reset() }
            }
        } catch {
            if !isTold.set() { await mutated(request) }
            throw error
        }
        if !isTold.set() { await mutated(request) }
    }

    private func mutated(_ request: NetworkRequest) async {
        switch afterMutation {
        case .keep: return
        case .removeAll, .confirmAll: levels.invalidate([.all])
        case .remove(let names): levels.invalidate(names(request))
        }
        await levels.shared?.send()
    }
}
