/// A response that was read completely and is not in the store yet. It can be published once.
package struct StagedResponse: Sendable {
    /// The kind of value under `data`.
    package enum DataPresence: Sendable, Hashable {
        /// The member was absent.
        case absent
        /// The member was null.
        case null
        /// The member was an object.
        case object
    }

    private final class Records: Sendable {
        fileprivate let staged: Guarded<StagedRecords>

        init(_ staged: consuming StagedRecords) { self.staged = Guarded(staged) }
    }

    private let records: Records
    /// The kind of value under `data`.
    package let presence: DataPresence
    /// The errors, in order.
    package let errors: [GraphQLError]
    /// The value under `extensions`.
    package let extensions: JSONValue?
    /// The record whose fields are the root fields, once the response is published.
    package let root: RecordID
    /// The irregularities of the response.
    let irregularities: [LogEvent.Irregularity]
    let hold: NumberHold
    /// The work for the handled fields, in the order in which the fields came.
    let handled: [HandledCall]
    /// The store's generation when the response was requested.
    let generation: Int

    init(
        records: consuming StagedRecords, handled: [HandledCall], generation: Int, presence: DataPresence,
        errors: [GraphQLError], extensions: JSONValue?,
        irregularities: [LogEvent.Irregularity] = [], root: RecordID, hold: NumberHold
    ) {
        self.irregularities = irregularities
        self.hold = hold
        self.handled = handled
        self.generation = generation
        self.records = Records(records)
        self.presence = presence
        self.errors = errors
        self.extensions = extensions
        self.root = root
    }

    /// True if an update has to work on fields before the response lands.
    var needsUpdate: Bool { handled.contains { !$0.isPage } }

    /// Returns the records for a layer. Facts that a type is not of an abstract type are left out, because an
    /// optimistic response does not prove them.
    func takeForLayer() -> StagedRecords {
        var records = take()
        records.facts = records.facts.filter(\.value)
        records.typeChanges = []
        return records
    }

    /// Returns the records to a single owner, so that they are moved and not copied. A second call returns none.
    func take() -> StagedRecords { records.staged.withLock { $0.take() } }
}
