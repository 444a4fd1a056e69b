extension Store {
    /// Invalidates the store: everything that was fetched before becomes stale.
    @discardableResult
    package func invalidate(report: PublishReport? = nil) -> PublishSummary { stage(report) { $0.isOfStore = true } }

    /// Invalidates a record: operations that read it and were fetched before become stale. Does nothing for a record
    /// that the store does not hold.
    @discardableResult
    package func invalidate(_ id: DataID, report: PublishReport? = nil) -> PublishSummary? {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard let record = sought(id), records.state(of: record) == .existing else { return nil }
        return stage(report) { $0.records = [record] }
    }

    /// Invalidates a type: operations that read a record of the type and were fetched before become stale.
    @discardableResult
    package func invalidate(type: TypeName, report: PublishReport? = nil) -> PublishSummary {
        stage(report) { $0.targets = [.type(names.type(type.rawValue))] }
    }

    /// Invalidates an operation: it becomes stale if it was fetched before.
    @discardableResult
    package func invalidate(_ operation: BoundOperation, report: PublishReport? = nil) -> PublishSummary {
        stage(report) { $0.targets = [.operation(operation.key)] }
    }

    /// Invalidates every operation of a query: those that were fetched before become stale.
    @discardableResult
    package func invalidate(
        all artifact: GeneratedCode.OperationArtifact, report: PublishReport? = nil
    ) -> PublishSummary {
        stage(report) { $0.targets = [.query(ObjectIdentifier(artifact))] }
    }

    private func stage(
        _ report: PublishReport?, _ what: (inout StagedInvalidations) -> Void
    ) -> PublishSummary {
        var publication = queue.nothing
        publication.source = .invalidation
        what(&publication.records.invalidations)
        return land(publication, report: report)
    }
}
