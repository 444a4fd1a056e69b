extension Store {
    /// Merges an answer into the newest version and tells whose fields changed. An answer can be published once.
    ///
    /// This and the other methods that publish call `announce`, outside every lock, when the change has landed and
    /// nobody was told of it yet. The answer lands under the optimistic layers; the one that it replaces is dropped in
    /// the same publish. With `isNewer` what queries in flight bring is older, also if the answer is one of a query
    /// itself.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation, request: Int? = nil, dropping layer: LayerID? = nil,
        isNewer: Bool = false,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> PublishSummary {
        if response.root != operation.root { operations.setRoot(response.root, of: operation) }
        return withExtendedLifetime(response) {
            // Not by way of a variable: that would hold the version that the answer was compared with, and what changes
            // would be copied.
            queue.publish(
                Publication(response, source: .answer(operation.artifact, request: request ?? 0, operation.key)),
                layer.map { .drop([$0]) } ?? .none, by: isNewer ? .newer : writer(of: operation, request),
                privateTo: [response.root], announce: announce)
        }
    }

    func writer(of operation: BoundOperation, _ request: Int?) -> Writer {
        operation.artifact.kind == .query ? .query(request: request) : .newer
    }

    // MARK: - Queries in flight

    /// From now on what is newer than this query is noted; `queryEnds` must follow. Of one operation, later requests
    /// have greater numbers.
    package func queryBegins(_ request: Int, of operation: BoundOperation? = nil) {
        guard options.keepsNewerFields else { return }
        queue.inTurn { $0.newer.begin(request, of: operation, at: $0.epoch) }
    }

    /// The query has no more answers.
    package func queryEnds(_ request: Int) {
        guard options.keepsNewerFields else { return }
        queue.inTurn { $0.newer.end(request) }
    }
}
