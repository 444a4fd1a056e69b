/// An answer that was read completely and is not in the store yet; it can be published once.
package struct StagedResponse: Sendable {
    /// What stood under `data`.
    package enum DataPresence: Sendable, Hashable {
        /// There was no such member.
        case absent
        /// It was null.
        case null
        /// It was an object.
        case object
    }

    private final class Records: Sendable {
        fileprivate let staged: Guarded<StagedRecords>

        init(_ staged: consuming StagedRecords) { self.staged = Guarded(staged) }
    }

    private let records: Records
    /// What stood under `data`.
    package let presence: DataPresence
    /// What stood under `errors`, in order.
    package let errors: [GraphQLError]
    /// What stood under `extensions`.
    package let extensions: JSONValue?
    /// Where the root fields are to be read once it is published.
    package let root: RecordID
    /// What was odd about it.
    let irregularities: [AnswerIrregularity]
    let hold: NumberHold
    /// The fields that came and have handlers.
    let handled: [HandledCall]
    /// How often the store had been emptied when the answer was asked for.
    let generation: Int

    init(
        records: consuming StagedRecords, handled: [HandledCall], generation: Int, presence: DataPresence,
        errors: [GraphQLError], extensions: JSONValue?,
        irregularities: [AnswerIrregularity] = [], root: RecordID, hold: NumberHold
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

    /// Handlers of the application have to run before it lands.
    var needsFieldHandlers: Bool { handled.contains { !$0.isOfStore } }

    /// Hands out the records for a layer. That an object is not of an abstract type proves nothing in an answer that is
    /// only expected, so it is left out.
    func takeForLayer() -> StagedRecords {
        var records = take()
        records.facts = records.facts.filter(\.value)
        records.typeChanges = []
        return records
    }

    /// Hands out the records, which then belong to the caller alone and are moved, not copied.
    func take() -> StagedRecords {
        records.staged.withLock { records in
            var result = StagedRecords()
            swap(&result, &records)
            return result
        }
    }
}
