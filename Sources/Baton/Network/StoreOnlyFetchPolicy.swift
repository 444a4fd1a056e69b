/// The policy under which `fetch` never asks the network and may return nil.
public enum StoreOnlyFetchPolicy: Sendable, Hashable, CaseIterable {
    /// Returns the data in the store, or nil if some of it is missing.
    case storeOnly
}
