extension GeneratedCode {
    /// The format of a query whose response is one payload.
    public enum SingleResponse {}

    /// The format of a query whose response may have several payloads.
    public enum IncrementalResponse {}
}
