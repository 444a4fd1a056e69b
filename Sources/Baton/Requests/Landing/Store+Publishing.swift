extension Store {
    /// Merges a response into the newest version and notifies the subscribers that read changed fields. A response can
    /// be published once.
    ///
    /// The response lands below the optimistic layers; the layer that it replaces is dropped in the same publish. If
    /// `isNewer` is true, the response counts as newer than all queries in flight, even if it belongs to a query.
    /// `report` and `waiters` get the effect before any subscriber is notified.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation, request: Int? = nil, dropping layer: LayerID? = nil,
        isNewer: Bool = false, report: PublishReport? = nil, waiters: ((PublishSummary) -> Void)? = nil
    ) -> PublishSummary {
        withExtendedLifetime(response) {
            // The publication is not stored in a variable, which would hold the version that the response was compared
            // with. Changed parts of a held version are copied.
            land(
                Publication(response, source: .response(operation.artifact, request: request ?? 0, operation.key)),
                layer.map { .drop([$0]) } ?? .none, by: isNewer ? .newer : writer(of: operation, request),
                privateTo: [response.root], report: report, waiters: waiters)
        }
    }
}
