/// Makes the collections of an environment when they are due.
///
/// A collection runs in a task, slice after slice with `Task.yield()` between two, so that everything else that waits
/// for a thread comes first; there is no thread of its own and no timer but the one that lets go of what is released
/// for too long. It counts as under way in ``Activity`` from the call that causes it to its end, not while it is held.
final class CollectionSchedule: Sendable {
    private struct State {
        var holds = 0
        /// Why the next collection is due; nil if none is.
        var due: CollectionEvent.Cause?
        var isRunning = false
        var alarm: Task<Void, Never>?
        var alarmTime: Duration?
    }

    private let store: Store
    private let ledger: OperationLedger
    private let activity: Activity
    private let memoryBudget: Int?
    private let sleep: @Sendable (Duration) async throws -> Void
    private let emit: @Sendable (CollectionEvent) -> Void
    private let state = Guarded(State())

    init(
        store: Store, ledger: OperationLedger, activity: Activity, memoryBudget: Int?,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        emit: @escaping @Sendable (CollectionEvent) -> Void
    ) {
        self.store = store
        self.ledger = ledger
        self.activity = activity
        self.memoryBudget = memoryBudget
        self.sleep = sleep
        self.emit = emit
        store.triggers.setHook(
            Hook { [weak self] cause in
                if cause == .memoryBudget { self?.checkBudget() } else { self?.want(cause) }
            })
        ledger.setHook(
            Hook { [weak self] expiration in
                if let expiration { self?.setAlarm(expiration) }
                self?.checkBudget()
            })
        if memoryBudget != nil { store.triggers.checkBudgetSoon() }
    }

    deinit {
        state.withLock { $0.alarm }?.cancel()
        store.collector.abandon()
    }

    // MARK: - Automatically

    /// Notes that a collection is due, and starts it unless collection is held.
    func want(_ cause: CollectionEvent.Cause) {
        let starts = state.withLock { state in
            state.due = state.due ?? cause
            guard state.holds == 0, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if starts { start() }
    }

    private func start() {
        activity.collectionStarted()
        let activity = activity
        Task { [weak self] in
            while let self, self.step() { await Task.yield() }
            activity.collectionEnded()
        }
    }

    /// Makes a slice; false if there is no more to do, or if collection is held.
    private func step() -> Bool {
        let isHeld = state.withLock { state in
            if state.holds > 0 { state.isRunning = false }
            return state.holds > 0
        }
        if isHeld {
            giveUp()
            return false
        }
        switch store.collectSlice() {
        case .more: return true
        case .finished(_, let event):
            emit(event)
            if isOverBudget, ledger.releaseOldest() { want(.memoryBudget) }
            return true
        case .idle:
            // What is released from here on is due again.
            let cause = state.withLock { state in
                defer { state.due = nil }
                if state.due == nil { state.isRunning = false }
                return state.due
            }
            if let cause { store.beginCollection(cause) }
            return cause != nil
        }
    }

    private var isOverBudget: Bool {
        guard let memoryBudget else { return false }
        return store.memoryUse > memoryBudget
    }

    /// Asks for a collection if the store is over its budget; what was released is let go only if that is not enough.
    private func checkBudget() {
        guard memoryBudget != nil else { return }
        store.triggers.nextBudgetCheck(after: store.records.rowCount)
        if isOverBudget { want(.memoryBudget) }
    }

    /// Gives up the collection that has begun, if there is one, and notes that it is due.
    private func giveUp() {
        if let cause = store.collector.abandon() { state.withLock { $0.due = $0.due ?? cause } }
    }

    // MARK: - On request

    /// Runs a collection to its end, and more while there is something to let go for the memory budget; the number of
    /// records that went.
    func collectNow() -> Int {
        let isHeld = state.withLock { state in
            if state.holds > 0 { state.due = state.due ?? .request }
            return state.holds > 0
        }
        if isHeld { return 0 }
        var count = 0
        repeat {
            state.withLock { $0.due = nil }
            if let event = store.collectGarbage() {
                count += event.recordsCollected
                emit(event)
            }
        } while isOverBudget && ledger.releaseOldest()
        return count
    }

    /// Keeps collections from running, one that has begun included, until `resume` was called as often.
    func hold() {
        state.withLock { $0.holds += 1 }
        giveUp()
    }

    func resume() {
        let starts = state.withLock { state in
            state.holds -= 1
            guard state.holds == 0, state.due != nil, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if starts { start() }
    }

    // MARK: - Expiration

    /// Sees to it that what was released is let go at a time, on the environment's clock.
    private func setAlarm(_ time: Duration) {
        let old = state.withLock { state -> Task<Void, Never>? in
            if let set = state.alarmTime, set <= time { return nil }
            let old = state.alarm
            state.alarmTime = time
            state.alarm = Task { [weak self, sleep] in
                guard (try? await sleep(time)) != nil else { return }
                self?.ring()
            }
            return old
        }
        old?.cancel()
    }

    private func ring() {
        state.withLock { state in
            state.alarm = nil
            state.alarmTime = nil
        }
        ledger.releaseExpired()
    }
}
