extension RequestConfiguration {
    /// The effect of errors in a response.
    public enum ErrorPolicy: Sendable, Hashable, CaseIterable {
        /// The data is used, and the errors are given together with it.
        case partialData
        /// The request fails with ``RelayError/hasErrors(_:)``, and nothing of the payload with the errors is kept.
        /// Payloads that landed before it stay in the store.
        case failure
    }
}
