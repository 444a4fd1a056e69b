/// The source of a query's data: for a `QueryHandle`, and for `fetch`, `fetchStream` and `prefetch` of an environment.
///
/// The store is checked first. The operation is *available* if the store holds all of its data, and all is valid. It is
/// *stale* if the store holds all of its data, but a part was invalidated after its fetch or is older than its age
/// limit. Otherwise it is *missing*. <doc:FetchPolicies> has the table.
///
/// Whoever asks for data, by `get`, `fetch` or `fetchStream`, has the default `networkOnly`. Whoever prepares data, by
/// `prefetch` or `preload`, has the default `storeOrNetwork`.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
    /// Always asks the network, and shows nothing until the response arrives.
    case networkOnly
    /// Shows available data, and always asks the network.
    case storeAndNetwork
    /// Shows available data, and asks the network only if the data is stale or missing.
    case storeOrNetwork
    /// Shows the data in the store, complete or not, and never asks the network.
    case storeOnly
    /// Asks the network, and uses the store if that fails.
    case networkOrStore
}

extension FetchPolicy {
    /// True if what the store has decides whether a request is sent or what is shown meanwhile.
    var looksIntoStore: Bool {
        switch self {
        case .storeOrNetwork, .storeAndNetwork: true
        case .storeOnly, .networkOnly, .networkOrStore: false
        }
    }
}
