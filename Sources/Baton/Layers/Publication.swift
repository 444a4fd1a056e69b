/// A change of the base on its way from "read" to "visible": what is staged, and what decides whether and how it lands.
struct Publication: Sendable {
    var records = StagedRecords()
    /// Who made it.
    var source = WriteSource.update
    /// How often the store had been emptied when the work began; it does not land in another generation.
    var generation: Int
    /// The fields of an answer that have handlers, which have not run yet.
    var handled: [HandledCall] = []
    /// What an update read: if that has changed, nothing of it lands.
    var check: UpdateCheck?
    /// What was looked at when it was made to fit a version, if others may publish before it lands.
    var fit: UpdateCheck?
    /// What was taken out of it because something newer is there.
    var leftOut: [LeftOut] = []

    /// Takes what was staged in a generation of the store.
    init(_ records: consuming StagedRecords = StagedRecords(), source: WriteSource = .update, generation: Int) {
        self.records = records
        self.source = source
        self.generation = generation
    }

    /// Hands out the records, which then belong to the caller alone and are moved, not copied.
    mutating func takeRecords() -> StagedRecords {
        var result = StagedRecords()
        swap(&result, &records)
        return result
    }

    /// Takes an answer, which can be published once.
    init(_ response: StagedResponse, source: WriteSource) {
        self.init(response.take(), source: source, generation: response.generation)
        handled = response.handled
    }
}
