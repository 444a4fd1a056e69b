/// Where the data of a `QueryHandle` comes from.
///
/// The store is checked first: the operation is *available* (all of it, valid), *stale* (all of it, but invalidated
/// since it was fetched, or older than its age limit) or *missing*. <doc:FetchPolicies> has the table.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
    /// Always asks the network, and shows nothing until it answers.
    case networkOnly
    /// Shows what is available, and asks the network in any case.
    case storeAndNetwork
    /// Shows what is available, and asks the network only if it is stale or missing.
    case storeOrNetwork
    /// Shows what the store holds, complete or not, and never asks the network.
    case storeOnly
    /// Asks the network, and falls back on the store if that fails.
    case networkOrStore
}

/// The policies under which ``RelayEnvironment`` gives exactly one response to `fetch`.
public enum SingleFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Asks the network.
    case networkOnly
    /// Gives what is available in the store, and asks the network if it is stale or missing.
    case storeOrNetwork
    /// Asks the network, and falls back on complete data in the store if that fails.
    case networkOrStore
}

/// The policy under which `fetch` never asks the network, and may have nothing to give.
public enum StoreOnlyFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Gives what the store holds, or nil if something is missing.
    case storeOnly
}

/// The policy under which `fetch` may give more than one response.
public enum MultipleFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Gives what is available in the store, then what the network answers.
    case storeAndNetwork
}
