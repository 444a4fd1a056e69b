// The order of notifications has several owners, this one for one actor; ReadingTheDesign.md names the others.

/// The waiting deliveries for one observing actor.
///
/// At most one task empties the queue, so deliveries to an actor are in order. A publish that changes a thousand
/// handles of one screen therefore costs one hop to its actor. Deliveries that arrive meanwhile wait for another hop,
/// so that the actor's own messages have their turn in between.
final class DeliveryQueue<Observer: Actor>: Sendable {
    private let deliveries: Guarded<[any Delivery<Observer>]>

    init(first delivery: any Delivery<Observer>) {
        deliveries = Guarded([delivery])
    }

    /// Adds a delivery.
    func add(_ delivery: any Delivery<Observer>) {
        deliveries.withLock { $0.append(delivery) }
    }

    var isEmpty: Bool { deliveries.withLock { $0.isEmpty } }

    func takeAll() -> [any Delivery<Observer>] {
        deliveries.withLock { deliveries in
            let taken = deliveries
            deliveries = []
            return taken
        }
    }
}
