extension QueryHandle {
    /// Explains the handle's data: which field is missing or stale, and which change wrote, invalidated or removed it.
    /// Nil before the first `get`.
    ///
    /// The explanation is for people who search for lost data. It takes time linear in the data of the query.
    public var explanation: Explanation.OfData? { core.operation.map(core.environment.explain) }
}
