extension Store {
    /// Adds a layer with an updater on top of all others.
    package func apply(
        _ change: @escaping @Sendable (RecordSourceProxy) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        report: PublishReport? = nil
    ) -> LayerID {
        apply(.updater(change), failed: failed, report)
    }

    /// Adds a layer with the optimistic response of an operation on top of all others. The response can be used once.
    /// `updater` runs after the work for the response's fields, and sees the response.
    package func apply(
        _ response: StagedResponse, updater: (@Sendable (RecordSourceProxy) throws -> Void)? = nil,
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        report: PublishReport? = nil
    ) -> LayerID {
        withExtendedLifetime(response) {
            apply(
                .response(response.takeForLayer(), handled: response.handled, updater: updater), root: response.root,
                failed: failed, report)
        }
    }

    private func apply(
        _ change: Layer.Change, root: RecordID? = nil, failed: @escaping @Sendable (any Error) -> Void,
        _ report: PublishReport?
    ) -> LayerID {
        let id = queue.inTurn { $0.layers.nextID() }
        let layer = Layer(id: id, change: change, root: root, failed: failed)
        var publication = queue.nothing
        if case .response(let records, _, _) = change {
            // Type facts that the layer's records show stay after the layer is dropped.
            let known = self.records.facts
            publication.records.facts = records.facts.filter { known[$0.key] == nil }
        }
        land(publication, .put(layer), privateTo: root.map { [$0] } ?? [], report: report)
        return id
    }

    /// Replaces a layer by another updater; does nothing if the layer has been dropped.
    package func replace(
        _ id: LayerID, with change: @escaping @Sendable (RecordSourceProxy) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        report: PublishReport? = nil
    ) {
        guard queue.inTurn({ $0.layers[id] != nil }) else { return }
        let layer = Layer(id: id, change: .updater(change), isReplacement: true, failed: failed)
        land(queue.nothing, .put(layer), report: report)
    }

    /// Drops a layer; returns false if it has been dropped before.
    @discardableResult
    package func drop(_ id: LayerID, report: PublishReport? = nil) -> Bool {
        drop([id], report: report)
    }

    /// Drops layers in one publish; returns false if all of them have been dropped before.
    @discardableResult
    package func drop(_ ids: [LayerID], report: PublishReport? = nil) -> Bool {
        let layers = queue.inTurn { turn in ids.compactMap { turn.layers[$0] } }
        guard !layers.isEmpty else { return false }
        land(queue.nothing, .drop(ids), privateTo: layers.compactMap(\.root), report: report)
        return true
    }
}
