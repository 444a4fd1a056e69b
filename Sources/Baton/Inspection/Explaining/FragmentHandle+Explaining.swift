extension FragmentHandle {
    /// Explains the handle's data: which field is missing, and which change wrote or removed it. Nil without a
    /// reference, and for a reference of another environment.
    public var explanation: Explanation.OfData? { reference.flatMap { core.environment.explain($0) } }
}
