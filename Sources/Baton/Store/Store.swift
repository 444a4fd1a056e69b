/// The records of an environment, each once, with who reads them and when they were fetched.
///
/// Every method may be called from any thread. Locks, outer first: `writer`, `state`, `subscriptions`, `operations`, the name table; user code (updates,
/// conversions, data ID functions, subscribers) runs outside them all.
package final class Store: Sendable {
    /// The newest version; held for a retain, or for a small merge in place.
    private let state = Guarded(Records())
    /// Held by one publish at a time.
    private let writer = Guarded(0)
    private let subscriptions = Guarded(SubscriptionIndex())
    private let operations = Guarded(OperationTable())
    /// Plans of fragments without variables, by artifact.
    private let fragments = Guarded<[ObjectIdentifier: BoundPlan]>([:])
    private let calls = Guarded<UInt64>(0)
    let names = NameTable()
    private let customDataID: DataIDFunction?

    /// A merge of at most this many records is made in place, while readers wait.
    private static let smallMerge = 64

    package init(dataID: DataIDFunction? = nil) { customDataID = dataID }

    /// The newest version.
    package var epoch: Epoch { state.withLock { $0.epoch } }

    var records: Records { state.withLock { $0 } }

    // MARK: - Binding

    /// Prepares an operation. Equal queries and variables give the same object while it is in use.
    package func bind<Operation: GraphQLOperation>(_ operation: Operation) -> BoundOperation {
        let artifact = Operation.artifact
        var encoder = GeneratedCode.VariableEncoder()
        operation.variables.encode(into: &encoder)
        return bind(artifact, variables: .object(encoder.members))
    }

    /// Prepares an operation whose variables are JSON already.
    package func bind(_ artifact: GeneratedCode.OperationArtifact, variables: JSONValue) -> BoundOperation {
        let isQuery = artifact.kind == .query
        let call: UInt64 = isQuery ? 0 : nextCall()
        let key = OperationKey(artifact: ObjectIdentifier(artifact), variables: variables, call: call)
        if isQuery, let known = operations.withLock({ $0.operation(key) }) { return known }
        let plans = operations.withLock { $0.plans(key) } ?? BoundPlans(artifact, variables: variables, names)
        let operation = BoundOperation(
            artifact: artifact, variables: variables, root: isQuery ? .root : names.newRoot(artifact.kind), key: key,
            store: self, plans: plans)
        return operations.withLock { $0.add(operation) }
    }

    private func nextCall() -> UInt64 {
        calls.withLock { calls in
            calls += 1
            return calls
        }
    }

    /// Prepares a fragment; nil if the reference came from another store.
    package func bind<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> BoundFragment? {
        let owner = reference.owner
        guard owner.store === self else { return nil }
        let artifact = Fragment.artifact
        let plan = sharedPlan(of: artifact) ?? owner.plans.plan(of: artifact)
        return BoundFragment(
            owner: owner, record: reference.record, selections: BoundSelections(plan: plan, owner: owner))
    }

    /// The plan that serves every operation, if the fragment uses no variables.
    private func sharedPlan(of artifact: GeneratedCode.FragmentArtifact) -> BoundPlan? {
        let key = ObjectIdentifier(artifact)
        if let known = fragments.withLock({ $0[key] }) { return known }
        guard case .success(let plan) = artifact.reader.plan, !plan.usesVariables else { return nil }
        let none = VariableValues(sent: .null, declared: [])
        let bound = BoundPlan.bind(.success(plan), none, artifact.scalars, names)
        return fragments.withLock { fragments in
            if let known = fragments[key] { return known }
            fragments[key] = bound
            return bound
        }
    }

    /// The text that identifies a record.
    package func dataID(of record: RecordID) -> DataID { names.dataID(of: record) }

    // MARK: - Writing

    /// Reads the body of an answer beside the store, which it does not change.
    package func normalize(
        _ body: [UInt8], for operation: BoundOperation
    ) throws(ResponseError) -> StagedResponse {
        if let failure = operation.failure { throw failure }
        let root = operation.artifact.kind == .subscription ? names.newRoot(.subscription) : operation.root
        let normalizer = Normalizer(
            plan: operation.plans.write, scalars: operation.artifact.scalars, customDataID: customDataID,
            base: records)
        var reader = ResponseReader(normalizer: normalizer, root: root)
        try reader.read(body)
        return StagedResponse(
            records: reader.takeStaged(), presence: reader.presence, errors: reader.errors,
            extensions: reader.extensions, root: root)
    }

    /// Merges an answer into the newest version and tells whose fields changed. An answer can be published once.
    ///
    /// This and the other methods that publish call `announce`, outside every lock, when the change has landed and nobody was told of it yet.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> PublishSummary {
        publish(response.take(), privateTo: response.root, announce: announce)
    }

    /// Merges an answer and what an updater does on top of it.
    ///
    /// The updater sees the store with the answer in it; both land together. If it throws, neither lands.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation,
        announce: (PublishSummary) -> Void = { _ in },
        updating body: (RecordSourceProxy) throws -> Void
    ) rethrows -> PublishSummary {
        var staged = response.take()
        var base = records
        staged.settle(against: base, names)
        _ = base.merge(staged, names)
        let source = RecordSourceProxy(base: base, names: names, payloadRoot: response.root)
        defer { source.end() }
        try body(source)
        staged.append(source.finish(), names)
        return publish(staged, privateTo: response.root, announce: announce)
    }

    /// Runs a local update and publishes what it did; publishes nothing if it throws.
    @discardableResult
    package func update<Result>(
        announce: (PublishSummary) -> Void = { _ in },
        _ body: (RecordSourceProxy) throws -> Result
    ) rethrows -> (Result, PublishSummary) {
        let source = RecordSourceProxy(base: records, names: names, payloadRoot: nil)
        defer { source.end() }
        let result = try body(source)
        return (result, publish(source.finish(), announce: announce))
    }

    /// Makes everything stale that was fetched before.
    @discardableResult
    package func invalidate() -> PublishSummary {
        var staged = StagedRecords()
        staged.invalidatesStore = true
        return publish(staged) { _ in }
    }

    /// Records below a root that no other operation shares are not counted as changed: they are the answer of one call, and nothing else reads them.
    @discardableResult
    private func publish(
        _ staged: consuming StagedRecords, privateTo root: RecordID = .root, announce: (PublishSummary) -> Void
    ) -> PublishSummary {
        let (changes, epoch) = merge(staged)
        var changed = changes.changes.count
        if root != .root { changed -= names.count(changes.changes.map(\.record), below: root) }
        var summary = PublishSummary(
            epoch: epoch, recordsWritten: changes.recordsWritten, recordsChanged: changed, subscriptionsAffected: 0)
        let subscribers = changes.isEmpty ? [] : subscriptions.withLock { $0.affected(by: changes) }
        summary.subscriptionsAffected = subscribers.count
        announce(summary)
        for subscriber in subscribers { subscriber.storeDidChange(at: epoch) }
        return summary
    }

    private func merge(_ staged: consuming StagedRecords) -> (ChangeSet, Epoch) {
        var staged = Optional(staged)
        return writer.withLock { _ in
            var work = staged.take() ?? StagedRecords()
            // Nothing else is published meanwhile.
            if work.base != nil { work.settle(against: state.withLock { $0 }, names) }
            if work.entries.count <= Self.smallMerge {
                var held = Optional(work)
                return state.withLock { records in
                    let changes = records.merge(held.take() ?? StagedRecords(), names)
                    return (changes, records.epoch)
                }
            }
            var next = state.withLock { $0 }
            let changes = next.merge(work, names)
            let epoch = next.epoch
            // The old version goes after the lock is given back.
            state.withLock { swap(&$0, &next) }
            return (changes, epoch)
        }
    }

    // MARK: - Reading

    /// Reads a selection set at a record, in the newest version. Without tracking there are no dependencies.
    package func read<Data: GeneratedCode.Selections>(
        _ type: Data.Type, at root: RecordID, _ selections: BoundSelections, tracking: Bool = true
    ) -> Snapshot<Data> {
        records.read(type, at: root, selections, tracking: tracking)
    }

    /// Says how much of an operation is there.
    ///
    /// In this order: missing if a field is missing; stale if the whole store, or a record that the operation reads, was invalidated since the fetch, or
    /// if there was none; available otherwise.
    package func check(_ operation: BoundOperation) -> Availability {
        let records = records
        let fetch = lastFetch(of: operation)
        var checker = AvailabilityCheck(records: records, plan: operation.plans.write)
        checker.check(operation.root)
        if let missing = checker.missing { return .missing(missing) }
        let invalidated = max(records.invalidated, checker.lastInvalidation)
        if invalidated > 0, fetch.map({ $0.epoch < invalidated }) ?? true { return .stale }
        return .available(fetchedAt: fetch?.time)
    }

    /// Says whether the store, or a record that the operation reads, was invalidated after that version.
    package func wasInvalidated(_ operation: BoundOperation, since epoch: Epoch) -> Bool {
        let records = records
        if records.invalidated > epoch { return true }
        guard records.recordInvalidated > epoch else { return false }
        var checker = AvailabilityCheck(records: records, plan: operation.plans.write, stopsWhenMissing: false)
        checker.check(operation.root)
        return checker.lastInvalidation > epoch
    }

    // MARK: - Subscriptions

    /// Tells the subscriber, which is held weakly, of every change of what was read; at once if it has changed since the read.
    package func subscribe(
        _ subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> SubscriptionID {
        let (id, hasChanged) = subscribe(quietly: subscriber, to: dependencies, replacing: old)
        if hasChanged { subscriber.storeDidChange(at: epoch) }
        return id
    }

    /// Like `subscribe`, but says whether something has changed since the read instead of telling the subscriber: for callers that hold a lock.
    package func subscribe(
        quietly subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> (id: SubscriptionID, hasChanged: Bool) {
        let id = subscriptions.withLock { $0.add(subscriber, dependencies, replacing: old) }
        // A publish from here on finds the subscription; one before is found by comparing versions.
        let records = records
        return (id, records.epoch != dependencies.epoch && dependencies.haveChanged(in: records))
    }

    /// Ends a subscription; does nothing if it has ended.
    package func unsubscribe(_ id: SubscriptionID) {
        subscriptions.withLock { $0.remove(id) }
    }

    /// The number of live subscriptions.
    package var subscriptionCount: Int { subscriptions.withLock { $0.count } }

    // MARK: - Operations

    /// Keeps what the operation selects; balanced by `release`.
    package func retain(_ operation: BoundOperation) { operations.withLock { $0.retain(operation) } }
    /// Takes back one `retain`.
    package func release(_ operation: BoundOperation) { operations.withLock { $0.release(operation) } }
    /// How often the operation is retained.
    package func retainCount(of operation: BoundOperation) -> Int {
        operations.withLock { $0.retainCount(operation) }
    }

    /// Notes that an answer for the operation is in. `began` is the version when the request began, now if it is nil.
    package func noteFetch(
        of operation: BoundOperation, key: (any Hashable & Sendable)?, at time: Duration, began: Epoch? = nil
    ) {
        let fetch = FetchRecord(key: key, time: time, epoch: began ?? epoch)
        operations.withLock { $0.note(fetch, of: operation) }
    }

    /// When and under which fetch key the operation was last fetched; nil if it never was.
    package func lastFetch(of operation: BoundOperation) -> FetchRecord? {
        operations.withLock { $0.fetch(of: operation) }
    }
}
