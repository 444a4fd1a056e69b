extension QueryHandle {
    /// Explains the handle's data: which field is missing or stale, and who wrote, invalidated or removed it. Nil
    /// before the first `get`.
    ///
    /// The explanation serves people who look for lost data. It takes time linear in the data of the query.
    public var explanation: Explanation.OfData? { core.operation.map(core.environment.explain) }
}
