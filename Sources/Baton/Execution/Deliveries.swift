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
/// State: `queues`, guarded by a lock of its own, which is taken before those of the queues. Nothing else is called
/// while it is held.
final class Deliveries: Sendable {
    private let queues = Guarded<[ObjectIdentifier: AnyObject & Sendable]>([:], .deliveries)
    private let activity: Activity

    init(activity: Activity) {
        self.activity = activity
    }

    /// Puts a delivery into the actor's queue, and starts a task if none is emptying it.
    func schedule<Observer: Actor>(_ delivery: any Delivery<Observer>, on observer: Observer) {
        let key = ObjectIdentifier(observer)
        let started: DeliveryQueue<Observer>? = queues.withLock { queues in
            if let queue = queues[key] as? DeliveryQueue<Observer> {
                queue.add(delivery)
                return nil
            }
            let queue = DeliveryQueue(first: delivery)
            queues[key] = queue
            return queue
        }
        guard let started else { return }
        activity.deliveryStarted()
        Task { await empty(started, key, on: observer) }
    }

    private func empty<Observer: Actor>(
        _ queue: DeliveryQueue<Observer>, _ key: ObjectIdentifier, on observer: isolated Observer
    ) async {
        while true {
            for delivery in queue.takeAll() { delivery.deliver(on: observer) }
            let isEmpty = queues.withLock { queues in
                guard queue.isEmpty else { return false }
                queues[key] = nil
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
