extension RelayEnvironment {
    /// Takes every record away that nothing keeps, before it returns; the number of those that went.
    ///
    /// What keeps data is described in <doc:KeepingData>. Collections also start by themselves and then run in small
    /// pieces; this one runs in one go, on the calling thread, while others may read and publish between its slices.
    /// Operations that were released and are kept for a while stay, unless their time is over or the memory budget is
    /// exceeded. While a ``CollectionHold`` is alive it does nothing, and runs once that is released.
    @discardableResult
    public func collectGarbage() -> Int {
        operations.releaseExpired()
        return collection.collectNow()
    }

    /// Keeps the collector from running until the returned object is released or dies.
    ///
    /// A collection that has begun is given up, and made later. Holds may overlap.
    public func holdCollection() -> CollectionHold { CollectionHold(collection) }

    /// The bytes that the records need, with their texts, lists and indexes: an estimate, from looking at a few records
    /// of each kind.
    ///
    /// What values of mapped scalars need is not in it, nor what handles have read. Takes time linear in the number of
    /// records divided by about a hundred.
    public var memoryUse: Int { store.memoryUse }
}

/// Keeps an environment from collecting, for as long as this object lives.
public final class CollectionHold: Sendable {
    private let schedule: CollectionSchedule
    private let isReleased = Guarded(false)

    init(_ schedule: CollectionSchedule) {
        self.schedule = schedule
        schedule.hold()
    }

    deinit { release() }

    /// Lets go before the object dies; a collection that is due starts.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { schedule.resume() }
    }
}
