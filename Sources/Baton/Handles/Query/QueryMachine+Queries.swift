extension QueryMachine {
    var isClosed: Bool { reader.freshness == .closed }
    var phase: PolicyMachine.Phase { fetch.phase }
    /// The number of the request that the handle waits for.
    var request: Int? { fetch.request }
    /// The error of the last request, until the next one begins.
    var fetchError: RelayError? { fetch.fetchError }
    /// True after a reset of the store, until the data is asked for again.
    var isResting: Bool { fetch.isResting }
    /// What is on show.
    var reading: Reading { reader.reading ?? .nothing }
    /// True if a field of the shown data is missing.
    var showsMissingData: Bool { status.isMissingData }

    /// The last data that was shown for the requested query; nil if there was none.
    var shownData: GeneratedCode.Row? {
        switch lastShown {
        case .nothing: nil
        case .incomplete(let row), .data(let row): row
        }
    }
}
