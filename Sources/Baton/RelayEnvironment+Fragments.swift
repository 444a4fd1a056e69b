extension RelayEnvironment {
    /// Returns the current data of a fragment without subscribing, except for a frame that is being tracked. Nil if the
    /// data does not exist or the reference comes from another environment.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        Recording.current?.note(reference, in: self)
        return snapshot(of: reference)?.data
    }
}
