/// The rules by which a query handle keeps its data fresh. <doc:KeepingDataFresh> has examples.
///
/// ### Behavior
///
/// - Data that is too old by at most `staleWhileRevalidate` is shown while it is fetched again.
/// - Invalidated data is not shown, whatever `staleWhileRevalidate` says.
/// - A handle that wants it fetches again when what it shows is invalidated, once for each invalidation.
/// - A handle that wants it fetches again when a field is missing that the last answer has brought.
/// - A field that the last answer has lacked is not asked for again.
/// - Fields that are lost again and again are fetched after ever longer pauses.
/// - A signal fetches again what has failed, and what is older than the signal says.
/// - A poll fetches again when its interval has passed since the last fetch, by whomever.
/// - What is shown stays while a handle fetches again by itself, and if that fails.
/// - A handle that has ended fetches nothing.
public struct Freshness: Sendable, Hashable {
    /// The events after which the handle fetches again by itself.
    public var refetchOn: Freshness.Triggers
    /// The time for which data may be too old and still be shown while it is fetched again, under the policies
    /// ``FetchPolicy/storeOrNetwork`` and ``FetchPolicy/storeAndNetwork`` (RFC 5861, section 3). With nil, data that is
    /// too old is not shown. Invalidated data is never shown.
    public var staleWhileRevalidate: Duration?

    /// Makes rules; omitted arguments have their defaults.
    public init(refetchOn: Freshness.Triggers = [], staleWhileRevalidate: Duration? = nil) {
        self.refetchOn = refetchOn
        self.staleWhileRevalidate = staleWhileRevalidate
    }
}
