/// A change of the base on its way into the store: the staged records, and the conditions under which they land.
///
/// A publication moves from step to step. It is copied only where a step says so, because a copy counts some thirty
/// references (benchmark `notify.publish-us`).
struct Publication: ~Copyable, Sendable {
    var records = StagedRecords()
    /// The cause of the change.
    var source = WriteSource.update
    /// The store's generation when the work began. The change does not land in another generation.
    var generation: Int
    /// The work for the fields that an answer brought, which is still to be done.
    var handled: [HandledCall] = []
    /// The reads of an update; the change lands only if they still hold.
    var check: UpdateCheck?
    /// The reads that were made to fit the change to a version, if others may publish before it lands.
    var fit: UpdateCheck?
    /// The records that were left out because the store has newer data.
    var leftOut: [LeftOut] = []

    /// Takes staged records and the generation in which the work began.
    init(_ records: consuming StagedRecords = StagedRecords(), source: WriteSource = .update, generation: Int) {
        self.records = records
        self.source = source
        self.generation = generation
    }

    /// Returns the records. The caller then owns them alone, so they are moved and not copied.
    mutating func takeRecords() -> StagedRecords {
        var result = StagedRecords()
        swap(&result, &records)
        return result
    }

    /// Returns a copy, for work that may have to begin again.
    func copy() -> Publication {
        var copy = Publication(records, source: source, generation: generation)
        copy.handled = handled
        copy.check = check
        copy.fit = fit
        copy.leftOut = leftOut
        return copy
    }

    /// Takes an answer, which can be published once.
    init(_ response: StagedResponse, source: WriteSource) {
        self.init(response.take(), source: source, generation: response.generation)
        handled = response.handled
    }
}
