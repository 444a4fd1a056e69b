extension RelayEnvironment {
    func apply(
        _ body: @escaping @Sendable (RecordSourceProxy) throws -> Void, of mutation: String?
    ) -> LayerID {
        let source = LogEvent.Publish.Source.optimistic(operationName: mutation)
        return store.apply(body, failed: failure(of: source), report: report(of: source))
    }

    func replace(_ layer: LayerID, with body: @escaping @Sendable (RecordSourceProxy) throws -> Void) {
        let source = LogEvent.Publish.Source.optimistic(operationName: nil)
        store.replace(layer, with: body, failed: failure(of: source), report: report(of: source))
    }

    private func failure(of source: LogEvent.Publish.Source) -> @Sendable (any Error) -> Void {
        { [weak self] error in self?.emit(.updateFailed(LogEvent.UpdateFailure(source: source, error: error))) }
    }

    /// Applies the expected effect of a mutation; returns nil if it does not fit the mutation.
    func apply<Mutation: GraphQLMutation>(
        _ change: OptimisticUpdate<Mutation>, for operation: BoundOperation
    ) -> LayerID? {
        switch change.kind {
        case .update(let body): return apply(body, of: operation.artifact.name)
        case .response(let data, let update):
            let source = LogEvent.Publish.Source.optimistic(operationName: operation.artifact.name)
            let report = report(of: source)
            do {
                let body = JSONValue.object([.init("data", data)]).jsonBytes
                let response = try store.normalizeExpected(body, for: operation)
                let updater = update.map { update in
                    { @Sendable (proxy: RecordSourceProxy) in
                        // Without a non-null field, the expected answer has no data.
                        try update(proxy, try? proxy.responseData(Mutation.Data.self, operation))
                    }
                }
                return store.apply(response, updater: updater, failed: failure(of: source), report: report)
            } catch {
                emit(.updateFailed(LogEvent.UpdateFailure(source: source, error: error)))
                return nil
            }
        }
    }

    /// Reverts the expected effect of a mutation, or an update without a mutation; does nothing if it was reverted
    /// before.
    func drop(_ layer: LayerID, of mutation: String?) { drop([layer], of: mutation) }

    func drop(_ layers: [LayerID], of mutation: String?) {
        store.drop(layers, report: report(of: .revert(operationName: mutation)))
    }
}
