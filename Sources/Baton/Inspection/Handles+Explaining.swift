extension QueryHandle {
    /// Why the handle shows what it shows: which field is missing or stale, and who wrote, invalidated or removed it;
    /// nil before the first `get`.
    ///
    /// For people who look for lost data; it goes through the whole query.
    public var explanation: DataExplanation? { core.operation.map(core.environment.explain) }
}

extension FragmentHandle {
    /// Why the handle shows what it shows: which field is missing, and who wrote or removed it; nil for a reference of
    /// another environment.
    public var explanation: DataExplanation? { core.environment.explain(reference) }
}
