import Synchronization

/// The records of an environment, each once, with who reads them and when they were fetched.
///
/// A facade: each of its owners has state of its own and the lock that guards it. Every method may be called from any
/// thread. The order of the locks is that of ``LockRank``. Code of the application (updates, conversions, data ID
/// functions, subscribers) runs outside them all.
package final class Store: RecordSource {
    /// Names and their numbers.
    let names: NameTable
    /// The newest version, which everybody reads.
    private let newest = NewestRecords()
    /// Who made the last publishes.
    let journal: StoreJournal
    /// Who reads what.
    let subscriptions = Subscriptions()
    /// What is in use, what is retained, and when it was fetched.
    let operations = Operations()
    /// Brings what changes the records into the newest version.
    let queue: PublishQueue
    /// Takes away what nothing needs.
    let collector: Collector
    /// What asks for a collection.
    let triggers = CollectionTriggers()
    /// What a collection under way has to hear of.
    let inbox = CollectionInbox()
    /// Plans of fragments without variables, by artifact.
    private let fragments = Guarded<[ObjectIdentifier: BoundPlan]>([:])
    private let calls = Atomic<UInt64>(0)
    private let weakOwner = Guarded(WeakOwner())
    /// The time since the environment was made.
    let now: @Sendable () -> Duration
    let customDataID: DataIDFunction?
    let options: StoreOptions

    /// Makes an empty store. The function and the clock are called outside every lock.
    package init(
        dataID: DataIDFunction? = nil, options: StoreOptions = StoreOptions(),
        now: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.now = now
        customDataID = dataID
        self.options = options
        names = NameTable(connections: options.connectionNames, dataID: dataID)
        journal = StoreJournal(options.history, now: now)
        queue = PublishQueue(
            newest, names, handlers: options.fieldHandlers, journal: journal, subscriptions: subscriptions,
            inbox: inbox, triggers: triggers)
        collector = Collector(
            names, queue: queue, operations: operations, journal: journal, inbox: inbox, triggers: triggers)
    }

    /// Whose store it is, while that lives.
    var owner: (any StoreOwner)? { weakOwner.withLock { $0.value } }

    /// Sets whose store it is; it is held weakly.
    func setOwner(_ owner: any StoreOwner) { weakOwner.withLock { $0.value = owner } }

    /// The newest version.
    package var epoch: Epoch { newest.epoch }
    /// The newest version, and how often the store was emptied before it.
    package var version: (epoch: Epoch, generation: Int) { newest.version }
    var records: Records { newest.records }

    // MARK: - Binding

    /// Prepares an operation. Equal queries and variables give the same object while it is in use.
    package func bind<Operation: GraphQLOperation>(_ operation: Operation) -> BoundOperation {
        let artifact = Operation.artifact
        let encoded = GeneratedCode.VariableEncoder.encode(operation.variables, for: artifact.name)
        return bind(artifact, variables: .object(encoded.members), refusal: encoded.refusal)
    }

    /// Prepares an operation whose variables are JSON already.
    ///
    /// One that is refused is no other: its variables are not all there.
    package func bind(
        _ artifact: GeneratedCode.OperationArtifact, variables: JSONValue, refusal: RelayError? = nil
    ) -> BoundOperation {
        let isQuery = artifact.kind == .query
        let isShared = isQuery && refusal == nil
        let call = isShared ? 0 : calls.add(1, ordering: .relaxed).newValue
        let key = OperationKey(artifact: ObjectIdentifier(artifact), variables: variables, call: call)
        if isShared, let known = operations.operation(key) { return known }
        // The number of a new root is known to nobody else before the operation is in the table.
        let hold = isQuery ? nil : NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let plans = operations.plans(key) ?? BoundPlans(artifact, variables: variables, names)
        let operation = BoundOperation(
            artifact: artifact, variables: variables, root: isQuery ? .root : names.newRoot(artifact.kind), key: key,
            source: self, plans: plans, refusal: refusal)
        return operations.add(operation)
    }

    /// Prepares a fragment; nil if the reference came from another store.
    package func bind<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> BoundFragment? {
        bind(reference.target, Fragment.artifact)
    }

    /// The same for a reference without its type.
    func bind(_ target: GeneratedCode.FragmentTarget, _ artifact: GeneratedCode.FragmentArtifact) -> BoundFragment? {
        guard target.use.source === self else { return nil }
        let plan = sharedPlan(of: artifact) ?? target.use.operation.plans.plan(of: artifact)
        return BoundFragment(
            record: target.record,
            selections: BoundSelections(plan: plan, use: target.use, collection: target.collection))
    }

    /// The plan that serves every operation, if the fragment uses no variables.
    private func sharedPlan(of artifact: GeneratedCode.FragmentArtifact) -> BoundPlan? {
        let key = ObjectIdentifier(artifact)
        if let known = fragments.withLock({ $0[key] }) { return known }
        guard case .success(let plan) = artifact.reader.plan, !plan.usesVariables else { return nil }
        let none = VariableValues(sent: .null, declared: [])
        let bound = BoundPlan.bind(
            .success(plan), none, artifact.scalars, names, role: .reader, component: artifact.name)
        return fragments.withLock { fragments in
            if let known = fragments[key] { return known }
            fragments[key] = bound
            return bound
        }
    }

    /// The text that identifies a record.
    package func dataID(of record: RecordID) -> DataID { names.dataID(of: record) }

    // MARK: - Reading

    /// Reads a selection set at a record, in the newest version. Without tracking there are no dependencies.
    ///
    /// With the dependencies of an older read of the same, what has not changed since is taken from there; the result
    /// is the same.
    package func read<Data: GeneratedCode.Selections>(
        _ type: Data.Type, at root: RecordID, _ selections: BoundSelections, tracking: Bool = true,
        after previous: Dependencies? = nil
    ) -> Snapshot<Data> {
        records.read(type, at: root, selections, tracking: tracking, after: previous)
    }

    /// Reads the data of an operation: of a mutation what its answer and updates have left, without optimistic changes
    /// of others.
    package func read<Data: GeneratedCode.Selections>(_ type: Data.Type, of operation: BoundOperation) -> Snapshot<Data>
    {
        guard operation.artifact.kind == .mutation, !records.covered.isEmpty else {
            return records.read(type, at: operation.root, operation.reader, tracking: false)
        }
        return records.readBelowLayers(type, at: operation.root, operation.reader)
    }

    /// What the store holds of an operation, as JSON.
    package func json(of operation: BoundOperation) -> JSONValue {
        JSONExport(records: records, plan: operation.plans.write, names: names).data(at: operation.root)
    }

    /// The bytes that the records need, with texts, lists, indexes and names: an estimate.
    package var memoryUse: Int { records.memoryUse + names.memoryUse + subscriptions.memoryUse }

    // MARK: - Subscribing

    /// Tells the subscriber of every change of what was read, until `unsubscribe`; at once if it has changed since the
    /// read.
    ///
    /// The subscriber is held until then. A subscription that replaces another goes on telling the subscriber of that
    /// one.
    package func subscribe(
        _ subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> SubscriptionID {
        let (id, hasChanged) = subscribe(quietly: subscriber, to: dependencies, replacing: old)
        if hasChanged { subscriber.storeDidChange(at: epoch) }
        return id
    }

    /// Like `subscribe`, but says whether something has changed since the read instead of telling the subscriber: for
    /// callers that hold a lock.
    package func subscribe(
        quietly subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> (id: SubscriptionID, hasChanged: Bool) {
        let id = subscriptions.add(subscriber, dependencies, replacing: old)
        inbox.add(reading: dependencies)
        // A publish from here on finds the subscription; one before is found by comparing versions.
        guard epoch != dependencies.epoch else { return (id, false) }
        return (id, dependencies.haveChanged(in: records))
    }

    /// Ends a subscription; does nothing if it has ended.
    package func unsubscribe(_ id: SubscriptionID) { subscriptions.remove(id) }

    /// The number of live subscriptions.
    package var subscriptionCount: Int { subscriptions.count }
}

/// Who keeps a store, and works with what comes out of it.
protocol StoreOwner: AnyObject, Sendable {}

private struct WeakOwner: Sendable {
    weak var value: (any StoreOwner)?
}
