extension FragmentHandle {
    /// Explains the handle's data: which field is missing, and who wrote or removed it. Nil without a reference, and
    /// for one of another environment.
    public var explanation: Explanation.OfData? { reference.flatMap { core.environment.explain($0) } }
}
