// Freshness has several owners, this one for responses of HTTP; ReadingTheDesign.md names the others.

import Baton

/// The time for which a response may be used (RFC 9111, section 4.2, and RFC 5861).
///
/// This value has no clock: each question names the time since the response was received.
struct CacheFreshness: Sendable, Hashable {
    /// How a response may be used.
    enum Use: Sendable, Hashable {
        /// The response may be used.
        case fresh
        /// The response may be used while it is fetched again.
        case whileRevalidating
        /// The server must be asked.
        case stale
    }

    /// The properties of the cache that affect freshness.
    struct Rules: Sendable, Hashable {
        /// True for a cache that several users share.
        var isShared = false
        /// The lifetime of a response without fields about its lifetime; nil if such responses are not kept.
        var defaultAge: Duration?
    }

    /// The age up to which the response is fresh.
    let lifetime: Duration
    /// The age of the response when it was received.
    let initialAge: Duration
    private let control: CacheControl
    private let isRevalidatedAlways: Bool
    /// True if the response may not be used beyond its lifetime.
    let isNeverStale: Bool

    /// How long a response with a validator is kept beyond its use, to be confirmed.
    private static let confirmationTime = Duration.seconds(3600)

    /// Restores the freshness of a response that a cache kept.
    init(restoring control: String?, lifetime: Duration, initialAge: Duration, isNeverStale: Bool) {
        self.control = CacheControl(control)
        self.lifetime = BoundedTime.of(lifetime)
        self.initialAge = BoundedTime.of(initialAge)
        self.isNeverStale = isNeverStale
        isRevalidatedAlways = self.control.isNoCache
    }

    /// Reads the fields of a response; nil if they forbid to keep the response, or give no reason to keep it.
    ///
    /// - Parameters:
    ///   - fields: The fields by their names in lower case.
    ///   - delay: The time from the request to the response.
    ///   - receivedAt: The time of the response in seconds since 1970.
    init?(_ fields: [String: String], delay: Duration, receivedAt: Int, rules: Rules) {
        control = CacheControl(fields["cache-control"])
        guard !control.isNoStore, !(rules.isShared && control.isPrivate) else { return nil }

        let date = fields["date"].flatMap(HTTPDate.seconds)
        let explicit = Self.lifetime(control, fields, date: date ?? receivedAt, isShared: rules.isShared)
        let hasValidator = fields["etag"] != nil || fields["last-modified"] != nil
        // The server can confirm a response with a validator, however old the response is.
        let found = explicit ?? (control.isNoCache ? .zero : rules.defaultAge)
        guard let lifetime = found ?? (hasValidator && !control.isEmpty ? .zero : nil) else { return nil }
        self.lifetime = lifetime

        let apparent = max(0, receivedAt - (date ?? receivedAt))
        let corrected = Duration.seconds(CacheControl.seconds(fields["age"])) + delay
        initialAge = max(.seconds(apparent), corrected)
        isRevalidatedAlways = control.isNoCache
        isNeverStale =
            control.isNoCache || control.isMustRevalidate
            || rules.isShared && (control.isProxyRevalidate || control.sharedMaxAge != nil)
        // A response that can neither be used nor confirmed is not kept.
        guard hasValidator || use(after: .zero) != .stale || mayReplaceError(after: .zero) else { return nil }
    }

    /// The lifetime that the fields state (section 4.2.1).
    private static func lifetime(
        _ control: CacheControl, _ fields: [String: String], date: Int, isShared: Bool
    ) -> Duration? {
        if isShared, let age = control.sharedMaxAge { return age }
        if let age = control.maxAge { return age }
        // A date that cannot be read counts as a date in the past (section 5.3).
        return fields["expires"].map { .seconds(max(0, (HTTPDate.seconds($0) ?? date) - date)) }
    }

    /// The response's age after a time in the cache (section 4.2.3).
    func age(after residence: Duration) -> Duration { initialAge + residence }

    /// How the response may be used after a time in the cache.
    ///
    /// - Parameter limit: The greatest age that the request accepts; nil for any age.
    func use(after residence: Duration, limit: Duration? = nil) -> Use {
        let age = age(after: residence)
        if isRevalidatedAlways { return .stale }
        if let limit, age > limit { return .stale }
        if age < lifetime { return .fresh }
        let grace = control.staleWhileRevalidate ?? .zero
        return !isNeverStale && age < lifetime + grace ? .whileRevalidating : .stale
    }

    /// True if the response may be used in place of an error.
    ///
    /// - Parameter limit: The greatest age that the request accepts; nil for any age.
    func mayReplaceError(after residence: Duration, limit: Duration? = nil) -> Bool {
        guard !isNeverStale, let grace = control.staleIfError else { return false }
        let age = age(after: residence)
        return age < lifetime + grace && age <= limit ?? age
    }

    /// The time for which the response is of any use.
    func keepTime(hasValidator: Bool) -> Duration {
        let grace = isNeverStale ? .zero : max(control.staleWhileRevalidate ?? .zero, control.staleIfError ?? .zero)
        return max(lifetime + grace - initialAge, .zero) + (hasValidator ? Self.confirmationTime : .zero)
    }

    /// True if the server lets caches of several processes have the response, apart from its credentials.
    var mayLeaveTheProcess: Bool { !control.isPrivate && (control.isPublic || control.sharedMaxAge != nil) }

    /// True if the response is the same for everybody.
    var isPublic: Bool { control.isPublic }

    /// True if a shared cache may keep the response to a request with credentials (section 3.5).
    var mayBeSharedWithCredentials: Bool {
        control.isPublic || control.isMustRevalidate || control.sharedMaxAge != nil
    }
}
