/// Runs the collections of an environment when they are due.
///
/// A collection runs in a task, with `Task.yield()` between slices, so that all other waiting work comes first. There
/// is no thread for collections. The only timer drops released operations when their time is over.
///
/// A collection counts in ``Activity`` from the call that causes it to its end, except while it is held back.
final class CollectionSchedule: Sendable {
    private struct State {
        var holds = 0
        /// The cause of the next collection; nil if none is due.
        var due: LogEvent.Collection.Cause?
        /// True if packing is due. A collection includes packing.
        var isPackingDue = false
        var isRunning = false
        var alarm: Task<Void, Never>?
        var alarmTime: Duration?
    }

    private let collector: Collector
    private let triggers: CollectionTriggers
    private let operations: Operations
    private let activity: Activity
    private let memoryBudget: Int?
    private let sleep: @Sendable (Duration) async throws -> Void
    private let emit: @Sendable (LogEvent.Collection) -> Void
    private let state = Guarded(State())

    init(
        _ collector: Collector, triggers: CollectionTriggers, operations: Operations, activity: Activity,
        memoryBudget: Int?,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        emit: @escaping @Sendable (LogEvent.Collection) -> Void
    ) {
        self.collector = collector
        self.triggers = triggers
        self.operations = operations
        self.activity = activity
        self.memoryBudget = memoryBudget
        self.sleep = sleep
        self.emit = emit
        triggers.setHook(
            Hook { [weak self] wish in
                switch wish {
                case .collection(.memoryBudget): self?.checkBudget()
                case .collection(let cause): self?.want(cause)
                case .packing: self?.wantPacking()
                }
            })
        operations.setBufferHook(
            Hook { [weak self] expiration in
                if let expiration { self?.setAlarm(expiration) }
                self?.checkBudget()
            })
        if memoryBudget != nil { collector.queue.growth.checkBudgetSoon() }
    }

    deinit {
        state.withLock { $0.alarm }?.cancel()
        collector.abandon()
    }

    // MARK: - Automatically

    /// Notes that a collection is due, and starts it unless collections are held back.
    func want(_ cause: LogEvent.Collection.Cause) { want { $0.due = $0.due ?? cause } }

    private func wantPacking() { want { $0.isPackingDue = true } }

    private func want(_ note: (inout State) -> Void) {
        let starts = state.withLock { state in
            note(&state)
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

    /// Runs a slice; returns false if no collection is due, or if collections are held back.
    private func step() -> Bool {
        let isHeld = state.withLock { state in
            if state.holds > 0 { state.isRunning = false }
            return state.holds > 0
        }
        if isHeld {
            giveUp()
            return false
        }
        switch collector.collectSlice() {
        case .more: return true
        case .finished(_, let event):
            emit(event)
            if isOverBudget, operations.releaseOldest() { want(.memoryBudget) }
            return true
        case .packed: return true
        case .idle:
            // A release from here on makes another collection due.
            let (cause, packs) = state.withLock { state in
                defer { (state.due, state.isPackingDue) = (nil, false) }
                if state.due == nil, !state.isPackingDue { state.isRunning = false }
                return (state.due, state.isPackingDue)
            }
            if let cause { collector.begin(cause) } else if packs { collector.beginPacking() }
            return cause != nil || packs
        }
    }

    private var isOverBudget: Bool {
        guard let memoryBudget else { return false }
        return collector.queue.memoryUse > memoryBudget
    }

    /// Starts a collection if the store exceeds its budget. Released operations are dropped only if the collection does
    /// not free enough.
    private func checkBudget() {
        guard memoryBudget != nil else { return }
        collector.queue.growth.nextBudgetCheck(after: collector.queue.records.rowCount)
        if isOverBudget { want(.memoryBudget) }
    }

    /// Gives up a running collection and notes that another is due.
    private func giveUp() {
        if let cause = collector.abandon() { state.withLock { $0.due = $0.due ?? cause } }
    }

    // MARK: - On request

    /// Runs a whole collection. Further collections follow as long as operations can be dropped for the memory budget.
    /// Returns the number of removed records.
    func collectNow() -> Int {
        let isHeld = state.withLock { state in
            if state.holds > 0 { state.due = state.due ?? .request }
            return state.holds > 0
        }
        if isHeld { return 0 }
        var count = 0
        var goesOn = true
        // Threads that collect at once could begin anew for ever, each because of the other.
        var rivals = 0
        while goesOn {
            state.withLock { $0.due = nil }
            if let event = collector.collectGarbage() {
                count += event.recordsCollected
                emit(event)
                goesOn = isOverBudget && operations.releaseOldest()
            } else {
                // Somebody else has ended this collection, and has dropped an operation if one had to go.
                rivals += 1
                goesOn = isOverBudget && (rivals < 8 || operations.releaseOldest())
            }
        }
        return count
    }

    /// Holds collections back, even a running one, until `resume` has been called as often as `hold`.
    func hold() {
        state.withLock { $0.holds += 1 }
        giveUp()
    }

    func resume() {
        let starts = state.withLock { state in
            state.holds -= 1
            guard state.holds == 0, state.due != nil || state.isPackingDue, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if starts { start() }
    }

    // MARK: - Expiration

    /// Sets a timer, on the environment's clock, at which released operations are dropped.
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
        operations.releaseExpired()
    }
}
