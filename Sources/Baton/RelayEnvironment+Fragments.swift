extension RelayEnvironment {
    /// Returns the current data of a fragment without subscribing, except for a frame that is being tracked. Nil if the
    /// data does not exist or the reference comes from another environment.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        Recording.current?.note(reference, in: self)
        return readResult(of: reference)?.data
    }
}

extension RelayEnvironment {
    /// Returns the current data of a fragment without subscribing, except for a frame that is being tracked, or the
    /// reason why there is none: errors of fields, data that is larger than ``StoreOptions/resultSize``, or a reference
    /// from another environment. Never `loading`.
    public func result<Fragment: GraphQLFragment>(of reference: FragmentReference<Fragment>) -> QueryResult<
        Fragment.Data
    > {
        Recording.current?.note(reference, in: self)
        return readResult(of: reference)?.result ?? .failure(.foreignReference(fragment: Fragment.artifact.name))
    }
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
        // The frame keeps the handle, which must be known to the frame before its state is read.
        Recording.current?.note(handle)
        return handle.get()
    }
}
