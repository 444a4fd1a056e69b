extension Store {
    /// Merges a response into the newest version and notifies the subscribers that read changed fields. A response can
    /// be published once.
    ///
    /// The response lands below the optimistic layers; the layer that it replaces is dropped in the same publish. If
    /// `isNewer` is true, the response counts as newer than all queries in flight, even if it belongs to a query.
    ///
    /// When the response has landed, `fetch` is noted as the last fetch of the operation.
    ///
    /// This method and the other publishing methods call `announce` while no lock is held, after the change has landed
    /// and before any subscriber is notified.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation, request: Int? = nil, dropping layer: LayerID? = nil,
        isNewer: Bool = false, fetch: FetchNote? = nil,
        announce: ((PublishSummary) -> Void)? = nil
    ) -> PublishSummary {
        return withExtendedLifetime(response) {
            // The publication is not stored in a variable, which would hold the version that the response was compared
            // with. Changed parts of a held version are copied.
            let summary = queue.publish(
                Publication(response, source: .response(operation.artifact, request: request ?? 0, operation.key)),
                layer.map { .drop([$0]) } ?? .none, by: isNewer ? .newer : writer(of: operation, request),
                privateTo: [response.root], announce: announce)
            if let fetch, summary.isLanded { note(fetch, of: operation, response.generation) }
            return summary
        }
    }

    /// Notes the fetch whose response has landed, and whether the response lacked a selected field.
    func note(_ fetch: FetchNote, of operation: BoundOperation, _ generation: Int) {
        var record = fetch.record
        record.isIncomplete = fetch.looksForMissing && gap(of: operation) != nil
        operations.noteFetch(record, of: operation, generation: generation)
    }

    func writer(of operation: BoundOperation, _ request: Int?) -> Writer {
        operation.artifact.kind == .query ? .query(request: request) : .newer
    }

    // MARK: - Queries in flight

    /// Notes that a query is in flight, so that newer writes are noted. The caller must call `queryEnds` later. Later
    /// requests of one operation must have greater numbers.
    package func queryBegins(_ request: Int, of operation: BoundOperation? = nil) {
        guard options.keepsNewerFields else { return }
        queue.inTurn { $0.newer.begin(request, of: operation, at: $0.epoch) }
    }

    /// Notes that the query gets no more payloads.
    package func queryEnds(_ request: Int) {
        guard options.keepsNewerFields else { return }
        queue.inTurn { $0.newer.end(request) }
    }
}
