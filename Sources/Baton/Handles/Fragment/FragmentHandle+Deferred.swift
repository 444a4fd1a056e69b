extension FragmentHandle {
    /// Makes a handle for the record of a reference, which knows its environment. The state is `.loading` until the
    /// fragment has arrived.
    public convenience init(_ deferred: DeferredReference<Fragment>) { self.init(deferred.reference) }

    /// Makes a handle for the record of a reference, which must come from the environment. The state is `.loading`
    /// until the fragment has arrived. For a reference that may be nil, pass `deferred?.reference`.
    public convenience init(_ deferred: DeferredReference<Fragment>, in environment: borrowing RelayEnvironment) {
        self.init(deferred.reference, in: copy environment)
    }

    /// Shows another record, or the same with other variables; does nothing if the references are equal.
    public func show(_ deferred: DeferredReference<Fragment>) { show(deferred.reference) }
}
