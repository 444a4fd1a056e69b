extension Store {
    /// Invalidates the store: everything that was fetched before becomes stale.
    @discardableResult
    package func invalidate() -> PublishSummary { invalidate { $0.isOfStore = true } }

    /// Invalidates a record: operations that read it and were fetched before become stale. Does nothing for a record
    /// that the store does not hold.
    @discardableResult
    package func invalidate(_ id: DataID) -> PublishSummary? {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard let record = names.record(id, adding: false), records.state(of: record) == .existing else { return nil }
        return invalidate { $0.records = [record] }
    }

    /// Invalidates a type: operations that read a record of the type and were fetched before become stale.
    @discardableResult
    package func invalidate(type: TypeName) -> PublishSummary {
        invalidate { $0.targets = [.type(names.type(type.rawValue))] }
    }

    /// Invalidates an operation: it becomes stale if it was fetched before.
    @discardableResult
    package func invalidate(_ operation: BoundOperation) -> PublishSummary {
        invalidate { $0.targets = [.operation(operation.key)] }
    }

    /// Invalidates every operation of a query: those that were fetched before become stale.
    @discardableResult
    package func invalidate(all artifact: GeneratedCode.OperationArtifact) -> PublishSummary {
        invalidate { $0.targets = [.query(ObjectIdentifier(artifact))] }
    }

    private func invalidate(_ what: (inout StagedInvalidations) -> Void) -> PublishSummary {
        var publication = queue.nothing
        publication.source = .invalidation
        what(&publication.records.invalidations)
        return queue.publish(publication)
    }
}
