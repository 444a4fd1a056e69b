extension Store {
    /// Makes everything stale that was fetched before.
    @discardableResult
    package func invalidate() -> PublishSummary { invalidate { $0.isOfStore = true } }

    /// Makes stale what reads a record and was fetched before; does nothing for a record that the store does not hold.
    @discardableResult
    package func invalidate(_ id: DataID) -> PublishSummary? {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard let record = names.record(id, adding: false), records.state(of: record) == .existing else { return nil }
        return invalidate { $0.records = [record] }
    }

    /// Makes stale what reads a record of a type and was fetched before.
    @discardableResult
    package func invalidate(type: TypeName) -> PublishSummary {
        invalidate { $0.targets = [.type(names.type(type.rawValue))] }
    }

    /// Makes an operation stale that was fetched before.
    @discardableResult
    package func invalidate(_ operation: BoundOperation) -> PublishSummary {
        invalidate { $0.targets = [.operation(operation.key)] }
    }

    /// Makes all operations of a query stale that were fetched before.
    @discardableResult
    package func invalidate(all artifact: GeneratedCode.OperationArtifact) -> PublishSummary {
        invalidate { $0.targets = [.query(ObjectIdentifier(artifact))] }
    }

    private func invalidate(_ what: (inout StagedInvalidations) -> Void) -> PublishSummary {
        var publication = queue.nothing
        publication.source = .invalidation
        what(&publication.records.invalidations)
        return queue.publish(publication) { _ in }
    }
}
