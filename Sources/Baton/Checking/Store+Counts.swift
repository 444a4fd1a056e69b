// How much of something a store has: for tests and `store-model`.

extension Store {
    /// The number of layers.
    package var layerCount: Int { queue.inTurn { $0.layers.count } }

    /// The number of live subscriptions.
    package var subscriptionCount: Int { subscriptions.count }
}

extension Records {
    /// The number of values in the blocks: the sum of rows times fields.
    var valueCapacity: Int { blocks.reduce(0) { $0 + $1.count * $1.width } }
}
