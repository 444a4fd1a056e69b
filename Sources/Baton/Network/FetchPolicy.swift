/// The source of a `QueryHandle`'s data.
///
/// The store is checked first. The operation is *available* (the store holds all of it, valid), *stale* (the store
/// holds all of it, but a part was invalidated after its fetch or is older than its age limit) or *missing*.
/// <doc:FetchPolicies> has the table.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
    /// Always asks the network, and shows nothing until the answer arrives.
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

/// The policies under which `fetch` of ``RelayEnvironment`` returns exactly one response.
public enum SingleFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Asks the network.
    case networkOnly
    /// Returns available data from the store, and asks the network if the data is stale or missing.
    case storeOrNetwork
    /// Asks the network, and returns complete data from the store if that fails.
    case networkOrStore
}

/// The policy under which `fetch` never asks the network and may return nil.
public enum StoreOnlyFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Returns the data in the store, or nil if some of it is missing.
    case storeOnly
}

/// The policy under which `fetch` may return more than one response.
public enum MultipleFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Returns available data from the store, then the answer of the network.
    case storeAndNetwork
}
