/// The waiting deliveries for one observing actor.
///
/// At most one task empties the queue, so deliveries to an actor are in order. A publish that concerns a thousand
/// handles of one screen therefore costs one hop to its actor. Deliveries that arrive meanwhile wait for another hop,
/// so that the actor's own messages have their turn in between.
final class DeliveryQueue<Observer: Actor>: Sendable {
    private let deliveries: Guarded<[any Delivery<Observer>]>

    init(first delivery: any Delivery<Observer>) {
        deliveries = Guarded([delivery])
    }

    /// Adds a delivery.
    fileprivate func add(_ delivery: any Delivery<Observer>) {
        deliveries.withLock { $0.append(delivery) }
    }

    fileprivate var isEmpty: Bool { deliveries.withLock { $0.isEmpty } }

    fileprivate func takeAll() -> [any Delivery<Observer>] {
        deliveries.withLock { deliveries in
            let taken = deliveries
            deliveries = []
            return taken
        }
    }
}

/// One delivery. It is made from the newest state when its turn comes.
protocol Delivery<Observer>: Sendable {
    associatedtype Observer: Actor
    /// Runs the observer's body, unless it was cancelled or has already seen the newest state.
    func deliver(on observer: isolated Observer)
}

/// The waiting deliveries of an environment: the queues that are not empty, by actor.
///
/// `PublishQueue` tells the handles of a change; their observers come here.
///
/// While a batch runs, nothing is emptied and nobody is told; what was put off is done at the end of the batch.
///
/// State: guarded by a lock of its own, which is taken before those of the queues. Nothing else is called while it is
/// held.
final class Deliveries: Sendable {
    private struct State {
        var queues: [ObjectIdentifier: AnyObject & Sendable] = [:]
        /// The number of batches that run.
        var batches = 0
        /// The work that waits for the end of the batches, in order.
        var waiting: [@Sendable () -> Void] = []
        /// Those who wait to be told, so that each waits once.
        var told: Set<ObjectIdentifier> = []
    }

    private let state = Guarded(State(), .deliveries)
    private let activity: Activity

    init(activity: Activity) {
        self.activity = activity
    }

    /// Puts a delivery into the actor's queue, and starts a task if none is emptying it.
    func schedule<Observer: Actor>(_ delivery: any Delivery<Observer>, on observer: Observer) {
        let key = ObjectIdentifier(observer)
        let (isNew, start) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if let queue = state.queues[key] as? DeliveryQueue<Observer> {
                queue.add(delivery)
                return (false, nil)
            }
            let queue = DeliveryQueue(first: delivery)
            state.queues[key] = queue
            let start: @Sendable () -> Void = { Task { await self.empty(queue, key, on: observer) } }
            if state.batches == 0 { return (true, start) }
            state.waiting.append(start)
            return (true, nil)
        }
        if isNew { activity.deliveryStarted() }
        start?()
    }

    // MARK: - Batches

    /// Puts deliveries off until `endBatch` was called as often as this.
    func beginBatch() { state.withLock { $0.batches += 1 } }

    func endBatch() {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            state.batches -= 1
            guard state.batches == 0 else { return [] }
            defer { (state.waiting, state.told) = ([], []) }
            return state.waiting
        }
        for work in waiting { work() }
    }

    /// Runs work for an object at once, or at the end of the batches that run; then only once.
    func afterBatch(for object: AnyObject, _ work: @escaping @Sendable () -> Void) {
        let isPutOff = state.withLock { state in
            guard state.batches > 0 else { return false }
            if state.told.insert(ObjectIdentifier(object)).inserted { state.waiting.append(work) }
            return true
        }
        if !isPutOff { work() }
    }

    private func empty<Observer: Actor>(
        _ queue: DeliveryQueue<Observer>, _ key: ObjectIdentifier, on observer: isolated Observer
    ) async {
        while true {
            let taken = state.withLock { state -> [any Delivery<Observer>]? in
                if state.batches == 0 { return queue.takeAll() }
                state.waiting.append { Task { await self.empty(queue, key, on: observer) } }
                return nil
            }
            guard let taken else { return }
            for delivery in taken { delivery.deliver(on: observer) }
            let isEmpty = state.withLock { state in
                guard queue.isEmpty else { return false }
                state.queues[key] = nil
                return true
            }
            if isEmpty { break }
            // The task leaves the actor and joins the end of its queue. A loop over calls of an isolated function might
            // not, because the hops in between may be optimized away.
            await Task.yield()
        }
        activity.deliveryEnded()
    }
}

extension RelayEnvironment {
    /// Runs a body, and tells of all its changes at once: each observer, each tracked frame and each sequence of
    /// results gets one state, that after the body.
    ///
    ///     environment.batch {
    ///         for film in films { try? environment.update { try $0.delete(film.dataID) } }
    ///     }
    ///
    /// What the body writes can be read at once, by everybody. Only telling waits, also of what other threads write
    /// meanwhile and of answers that land meanwhile. An observer whose body is about to run may see a part of the
    /// changes. Batches may be nested and may overlap; the end of the last one counts. The body should be short. Throws
    /// what the body throws; what was written before is told.
    ///
    /// ### Behavior
    ///
    /// - A batch tells once, of the state after it, and what it writes can be read at once.
    /// - A batch that throws tells what was written before.
    /// - Batches that overlap tell the last state.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try body()
    }

    /// Runs an asynchronous body, and tells of all its changes at once, as the synchronous `batch` does. A body that
    /// waits for the network keeps every screen of the environment as it is for as long.
    public func batch<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try await body()
    }
}
