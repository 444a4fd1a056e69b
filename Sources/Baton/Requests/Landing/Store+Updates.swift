extension Store {
    /// Runs a local update and publishes its changes; publishes nothing if it throws.
    ///
    /// The update sees the base without optimistic layers, and lands below them. Its body runs again if the data that
    /// it read has changed before it lands.
    @discardableResult
    package func update<Result>(
        report: PublishReport? = nil, _ body: (RecordSourceProxy) throws -> Result
    ) throws -> (Result, PublishSummary) {
        var result: Result?
        let summary = try land(report: report) { result = try body($0) }
        guard let result else { preconditionFailure("an update lands only after its body has returned") }
        return (result, summary)
    }

    /// Publishes a response together with the changes of an updater.
    ///
    /// The updater sees the store with the response and without optimistic layers. Both land together; if the updater
    /// throws, neither lands. The updater runs again if the data that it read has changed before both land.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation, request: Int? = nil, dropping layer: LayerID? = nil,
        isNewer: Bool = false, report: PublishReport? = nil, waiters: ((PublishSummary) -> Void)? = nil,
        updating body: (RecordSourceProxy) throws -> Void
    ) throws -> PublishSummary {
        let source = WriteSource.response(operation.artifact, request: request ?? 0, operation.key)
        return try withExtendedLifetime(response) {
            try land(
                Publication(response, source: source), at: response.root, layer.map { .drop([$0]) } ?? .none,
                by: isNewer ? .newer : writer(of: operation, request), report: report, waiters: waiters, updating: body)
        }
    }
}
