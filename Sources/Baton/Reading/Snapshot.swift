/// What a read found.
package struct Snapshot<Data: GeneratedCode.Selections>: Sendable {
    /// Nil if a non-null field up to the root has no value.
    package let data: Data?
    /// Some field that was selected is not in the store.
    package let isMissingData: Bool
    /// What to subscribe to in order to hear of changes.
    package let dependencies: Dependencies
    /// The version of the store that was read.
    package var epoch: Epoch { dependencies.epoch }
}

/// The records that a read went through, each with the selection set that was read from it.
package struct Dependencies: Sendable {
    struct Pair: Sendable, Hashable {
        let record: RecordID
        let node: UInt32
    }

    /// The version that was read.
    package let epoch: Epoch
    let selections: BoundSelections
    var pairs: [Pair]
    /// A type condition could not be decided yet.
    let awaitsTypeFacts: Bool
    /// The number of pairs of record and selection set, with repetitions.
    package var count: Int { pairs.count }
}

/// How much of an operation a store holds.
package enum Availability: Sendable, Hashable {
    /// All of it, valid; with the time of the last fetch if this operation was fetched.
    case available(fetchedAt: Duration?)
    /// All of it or not, but the store or a record that the operation reads was invalidated after it was fetched.
    case stale
    /// Not all of it; with the path of the first field that is missing.
    case missing([PathComponent])
}
