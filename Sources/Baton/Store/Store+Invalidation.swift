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
        var publication = nothing
        publication.source = .invalidation
        what(&publication.records.invalidations)
        return publish(publication) { _ in }
    }
}

/// Somebody who hears of invalidations.
protocol InvalidationListener: AnyObject, Sendable {
    /// Called on the publishing thread, outside every lock. False if it will never listen again.
    func storeWasInvalidated() -> Bool
}

/// Those who hear of invalidations.
///
/// State: guarded by its own lock, a leaf.
final class InvalidationWatch: Sendable {
    private let listeners = Guarded<[any InvalidationListener]>([])

    func add(_ listener: any InvalidationListener) {
        listeners.withLock { $0.append(listener) }
    }

    func remove(_ listener: any InvalidationListener) {
        _ = listeners.withLock { listeners in
            let all = listeners
            listeners = all.filter { $0 !== listener }
            return all
        }
    }

    func notify() {
        for listener in listeners.withLock({ $0 }) where !listener.storeWasInvalidated() { remove(listener) }
    }
}
