extension RequestConfiguration {
    /// What becomes of an answer with errors.
    public enum ErrorPolicy: Sendable, Hashable, CaseIterable {
        /// The data is used, and the errors are beside it.
        case partialData
        /// The request fails with ``RelayError/hasErrors(_:)``, and nothing of the answer is kept. Parts of the answer
        /// that landed before the error stay.
        case failure
    }
}
