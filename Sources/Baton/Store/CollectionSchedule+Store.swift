extension CollectionSchedule {
    /// Makes the schedule of a store's collections.
    convenience init(
        store: Store, activity: Activity, memoryBudget: Int?,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        emit: @escaping @Sendable (LogEvent.Collection) -> Void
    ) {
        self.init(
            store.collector, triggers: store.triggers, operations: store.operations, activity: activity,
            memoryBudget: memoryBudget, sleep: sleep, emit: emit)
    }
}
