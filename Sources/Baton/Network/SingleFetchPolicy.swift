/// The policies under which `fetch` of ``RelayEnvironment`` returns exactly one response.
public enum SingleFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Asks the network.
    case networkOnly
    /// Returns available data from the store, and asks the network if the data is stale or missing.
    case storeOrNetwork
    /// Asks the network, and returns complete data from the store if that fails.
    case networkOrStore
}
