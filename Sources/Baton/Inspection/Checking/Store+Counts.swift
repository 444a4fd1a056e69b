// Numbers about the contents of a store, for tests and `store-model`.

extension Store {
    /// The number of layers.
    package var layerCount: Int { queue.inTurn { $0.layers.count } }

    /// The number of records with an identity and a number.
    package var nameCount: Int { names.access { $0.records.usedCount } }

    /// The number of records that are noted for late responses.
    package var noteCount: Int { queue.inTurn { $0.newer.count } }

    /// The number of live subscriptions.
    package var subscriptionCount: Int { subscriptions.count }
}

extension Records {
    /// The number of values in the blocks: the sum of rows times fields.
    var valueCapacity: Int { blocks.reduce(0) { $0 + $1.count * $1.width } }
}

extension Store {
    /// Lets updates write values of any type from now on, and takes them from a file, so that tests can check how
    /// readers show such values. Fields that no document in use selects are taken from a file, too, or stay there.
    package func acceptValuesOfAnyType(leavingUnknown: Bool = false) {
        names.withSpelling { $0.checks = leavingUnknown ? .stored : [] }
    }
}
