/// The rules by which a query handle keeps its data fresh. <doc:KeepingDataFresh> has examples.
///
/// ### Behavior
///
/// - Data that is too old by at most `staleWhileRevalidate` is shown while it is fetched again.
/// - Invalidated data is not shown, whatever `staleWhileRevalidate` says.
/// - With `.invalidation` a handle fetches again when its data is invalidated, once for each invalidation.
/// - With `.missingData` a handle fetches again when a field is missing that the last response had brought.
/// - A field that the last response lacked is not requested again.
/// - Fields that are lost again and again are fetched after ever longer pauses.
/// - After a signal a handle fetches again if its last fetch has failed or is older than the given age.
/// - After a signal the pages and refetches of the handle's fragments that have failed are loaded again.
/// - A page that has failed is not loaded again if its list is fetched again: the list begins anew.
/// - A poll fetches again when its interval has passed since the last fetch by any handle.
/// - The shown data stays while a handle fetches again by itself, and if that fails.
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
