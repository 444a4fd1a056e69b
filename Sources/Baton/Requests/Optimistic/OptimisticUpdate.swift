/// A change of the store that is shown until it is reverted; see ``RelayEnvironment/applyUpdate(_:)``.
///
/// The change is reverted when this object is deinitialized, so the object must be kept.
public final class OptimisticUpdate: Sendable {
    fileprivate let environment: RelayEnvironment
    fileprivate let layer: LayerID

    init(_ layer: LayerID, in environment: RelayEnvironment) {
        self.layer = layer
        self.environment = environment
    }

    deinit { revert() }

    /// Reverts the change and notifies every handle that reads a field which differs then. Does nothing if the change
    /// was reverted already.
    public func revert() { environment.drop(layer, of: nil) }

    /// Replaces the change by another one in one publish; does nothing if the change was reverted.
    public func replace(with body: @escaping @Sendable (RecordSourceProxy) throws -> Void) {
        environment.replace(layer, with: body)
    }
}

extension RelayEnvironment {
    /// Reverts changes in one publish and notifies every handle that reads a field which differs then. Changes that
    /// were reverted already are skipped.
    ///
    /// Use this method for changes that depend on each other. If they were reverted one after the other from the oldest
    /// on, each step would make the later ones run again.
    public func revert(_ updates: some Sequence<OptimisticUpdate>) {
        var layers: [LayerID] = []
        for update in updates {
            if update.environment === self { layers.append(update.layer) } else { update.revert() }
        }
        drop(layers, of: nil)
    }

    /// Changes records until the returned object is reverted or deinitialized, and notifies every handle that reads
    /// changed fields.
    ///
    /// The change is a layer on top of the store. Answers and updates land below it, and reverting it shows their data.
    /// The body runs at once, and again whenever something that it has read or written changes below it; see
    /// ``OptimisticChange/update(_:)``.
    public func applyUpdate(_ body: @escaping @Sendable (RecordSourceProxy) throws -> Void) -> OptimisticUpdate {
        OptimisticUpdate(apply(body, of: nil), in: self)
    }

    private func apply(
        _ body: @escaping @Sendable (RecordSourceProxy) throws -> Void, of mutation: String?
    ) -> LayerID {
        let start = startOfPublish()
        let source = PublishEvent.Source.optimistic(operationName: mutation)
        return store.apply(body, failed: failure(of: source), announce: { report($0, source, since: start) })
    }

    fileprivate func replace(_ layer: LayerID, with body: @escaping @Sendable (RecordSourceProxy) throws -> Void) {
        let start = startOfPublish()
        let source = PublishEvent.Source.optimistic(operationName: nil)
        store.replace(layer, with: body, failed: failure(of: source), announce: { report($0, source, since: start) })
    }

    private func failure(of source: PublishEvent.Source) -> @Sendable (any Error) -> Void {
        { [weak self] error in self?.emit(.updateFailed(UpdateFailureEvent(source: source, error: error))) }
    }

    /// Applies the expected effect of a mutation; returns nil if it does not fit the mutation.
    func apply<Mutation: GraphQLMutation>(
        _ change: OptimisticChange<Mutation>, for operation: BoundOperation
    ) -> LayerID? {
        switch change.kind {
        case .update(let body): return apply(body, of: operation.artifact.name)
        case .response(let data):
            let start = startOfPublish()
            let source = PublishEvent.Source.optimistic(operationName: operation.artifact.name)
            do {
                let body = JSONValue.object([.init("data", data)]).jsonBytes
                let response = try store.normalizeExpected(body, for: operation)
                return store.apply(
                    response, failed: failure(of: source), announce: { report($0, source, since: start) })
            } catch {
                emit(.updateFailed(UpdateFailureEvent(source: source, error: error)))
                return nil
            }
        }
    }

    /// Reverts the expected effect of a mutation, or an update without a mutation; does nothing if it is gone.
    func drop(_ layer: LayerID, of mutation: String?) { drop([layer], of: mutation) }

    private func drop(_ layers: [LayerID], of mutation: String?) {
        let start = startOfPublish()
        store.drop(layers, announce: { report($0, .revert(operationName: mutation), since: start) })
    }
}
