extension FragmentHandle {
    /// Makes a handle for the record of a reference, which knows its environment. The handle says `.loading` until the
    /// fragment has arrived.
    public convenience init(_ deferred: DeferredReference<Fragment>) { self.init(deferred.reference) }

    /// Makes a handle for the record of a reference, which must come from the environment. The handle says `.loading`
    /// until the fragment has arrived. For a reference that may be nil, pass `deferred?.reference`.
    public convenience init(_ deferred: DeferredReference<Fragment>, in environment: borrowing RelayEnvironment) {
        self.init(deferred.reference, in: copy environment)
    }

    /// Changes the reference to another record or other variables; does nothing if the references are equal.
    public func update(_ deferred: DeferredReference<Fragment>) { update(deferred.reference) }
}

extension RelayEnvironment {
    /// Returns the current state of a fragment that may arrive later, without subscribing, except for a frame that is
    /// being tracked.
    ///
    /// - `loading`: A field is missing, and a request of the reference's operation is in flight.
    /// - `failure`: There is no data, and the last request of that operation failed; or the reference comes from
    ///   another environment.
    /// - `success`: The data in the store; nil if a non-null field has no value and no nullable field encloses it.
    public func result<Fragment: GraphQLFragment>(
        of deferred: DeferredReference<Fragment>
    ) -> QueryResult<Fragment.Data> {
        let handle = FragmentHandle(deferred.reference, in: self)
        // The frame keeps the handle, which then is known to it when its state is read.
        Recording.current?.note(handle)
        return handle.get()
    }
}
