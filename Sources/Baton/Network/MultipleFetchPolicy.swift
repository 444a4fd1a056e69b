/// The policy under which `fetch` may return more than one response.
public enum MultipleFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Returns available data from the store, then the answer of the network.
    case storeAndNetwork
}
