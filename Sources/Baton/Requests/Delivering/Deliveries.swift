// The order of notifications has several owners, this one for a batch; ReadingTheDesign.md names the others.

/// The waiting deliveries of an environment: the queues that are not empty, by actor.
///
/// `PublishQueue` notifies the handles of a change; the handles schedule the deliveries to their observers here.
///
/// While a batch runs, no queue is emptied and no handle is notified. This work is done at the end of the batch.
///
/// State: guarded by a lock of its own, which is taken before those of the queues. No other code is called while it is
/// held.
final class Deliveries: Sendable {
    private struct State {
        var queues: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        /// The number of running batches.
        var batches = 0
        /// The work that waits for the end of the batches, in order.
        var waiting: [@Sendable () -> Void] = []
        /// The objects that wait for their notification, so that each of them waits once.
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

    /// Postpones deliveries until `endBatch` has been called as often as this method.
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

    /// Runs work for an object: at once, or once at the end of the running batches.
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
        while let deliveries = take(queue, key, on: observer) {
            for delivery in deliveries { delivery.deliver(on: observer) }
            if remove(queue, key) { return activity.deliveryEnded() }
            // The task leaves the actor and joins the end of its queue. A loop over calls of an isolated function might
            // not leave it, because the compiler may optimize the hops in between away.
            await Task.yield()
        }
    }

    /// Takes the deliveries of a queue. While a batch runs there are none, and the queue is emptied at its end.
    private func take<Observer: Actor>(
        _ queue: DeliveryQueue<Observer>, _ key: ObjectIdentifier, on observer: isolated Observer
    ) -> [any Delivery<Observer>]? {
        state.withLock { state in
            if state.batches == 0 { return queue.takeAll() }
            state.waiting.append { Task { await self.empty(queue, key, on: observer) } }
            return nil
        }
    }

    /// Removes a queue if it is empty; returns false if it is not.
    private func remove<Observer: Actor>(_ queue: DeliveryQueue<Observer>, _ key: ObjectIdentifier) -> Bool {
        state.withLock { state in
            guard queue.isEmpty else { return false }
            state.queues[key] = nil
            return true
        }
    }
}

/// A delivery to an observer. Its content is made from the newest state when it is delivered.
protocol Delivery<Observer>: Sendable {
    associatedtype Observer: Actor
    /// Runs the observer's body, unless it was cancelled or has already seen the newest state.
    func deliver(on observer: isolated Observer)
}
