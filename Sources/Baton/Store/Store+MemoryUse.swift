extension Store {
    /// The bytes that the records need, with texts, lists, indexes and names: an estimate.
    package var memoryUse: Int {
        records.memoryUse + names.memoryUse + subscriptions.withLock { $0.memoryUse }
    }
}
