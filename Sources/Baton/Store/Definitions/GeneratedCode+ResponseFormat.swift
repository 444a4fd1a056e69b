extension GeneratedCode {
    /// The format of a query whose answer comes at once.
    public enum SingleResponse {}

    /// The format of a query whose answer may come in parts.
    public enum IncrementalResponse {}
}
