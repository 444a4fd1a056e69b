extension RelayEnvironment {
    /// Removes every record that nothing keeps, and returns their number.
    ///
    /// <doc:KeepingData> explains what keeps data. Collections also start by themselves and then run in small slices. A
    /// collection by this method runs on the calling thread until its end; other threads may read and publish between
    /// its slices. Released operations in the release buffer stay, unless their time is over or the memory budget is
    /// exceeded. While a ``CollectionHold`` exists the method does nothing, and a collection runs after the hold is
    /// released. An environment over an ``EnvironmentBase`` collects nothing.
    @discardableResult
    public func collectGarbage() -> Int {
        operations.releaseExpired()
        return collection.collectNow()
    }

    /// Delays collections until the returned object is released or deinitialized.
    ///
    /// A running collection is given up and run again later. Holds may overlap.
    public func holdCollection() -> CollectionHold { CollectionHold(collection) }

    /// An estimate of the memory of the records with their texts, lists and indexes, in bytes. It is computed from a
    /// few records of each kind.
    ///
    /// The values of mapped scalars and the data of handles are not included. Takes time linear in the number of
    /// records divided by about a hundred.
    public var memoryUse: Int { store.memoryUse }
}
