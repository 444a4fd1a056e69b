/// A change of the base on its way into the store: the staged records, and the conditions under which they land.
///
/// A publication moves from step to step. Only `copy()` copies it, because a copy counts some thirty references
/// (benchmark `notify.publish-us`).
struct Publication: ~Copyable, Sendable {
    var records = StagedRecords()
    /// The cause of the change.
    var source = WriteSource.update
    /// The store's generation at the beginning of the work. The change does not land in another generation.
    var generation: Int
    /// The remaining work for the fields that a response brought.
    var handled: [HandledCall] = []
    /// The reads of an update; the change lands only if they still hold.
    var check: UpdateCheck?
    /// The reads with which the change was fitted to a version; nil if no other publish can come before it lands.
    var fit: UpdateCheck?
    /// The records that were left out because the store has newer data.
    var leftOut: [LeftOut] = []

    /// Takes staged records and the generation in which the work began.
    init(_ records: consuming StagedRecords = StagedRecords(), source: WriteSource = .update, generation: Int) {
        self.records = records
        self.source = source
        self.generation = generation
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

    /// Takes over a response, which can be published once.
    init(_ response: StagedResponse, source: WriteSource) {
        self.init(response.take(), source: source, generation: response.generation)
        handled = response.handled
    }
}
