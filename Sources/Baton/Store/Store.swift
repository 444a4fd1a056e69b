import Synchronization

/// The records of an environment, each once, with who reads them and when they were fetched.
///
/// Every method may be called from any thread. Locks, outer first: that of the collector, `writer`, `state`,
/// `subscriptions`, `operations`, the collector's inbox, the name table; user code (updates, conversions, data ID
/// functions, subscribers) runs outside them all.
package final class Store: RecordSource {
    /// The newest version; held for a retain, or for a small merge in place.
    let state = Guarded(Records())
    /// Held by one publish at a time.
    let writer = Guarded(PublishOrder())
    let subscriptions = Guarded(SubscriptionIndex())
    let operations = Guarded(OperationTable())
    /// Plans of fragments without variables, by artifact.
    private let fragments = Guarded<[ObjectIdentifier: BoundPlan]>([:])
    private let calls = Guarded<UInt64>(0)
    /// The number of updates whose body is running.
    let runningUpdates = Atomic(0)
    let updateTurn = UpdateTurn()
    let collector = Collector()
    let names: NameTable
    /// Those who want to know what was invalidated.
    let invalidationWatch = InvalidationWatch()
    /// Who made the last publishes.
    let journal: Guarded<PublishJournal>
    /// The time since the environment was made.
    let now: @Sendable () -> Duration
    let customDataID: DataIDFunction?
    let options: StoreOptions

    /// Whose store it is; held weakly.
    let owner = Guarded(WeakOwner())

    /// Makes an empty store. The function and the clock are called outside every lock.
    package init(
        dataID: DataIDFunction? = nil, options: StoreOptions = StoreOptions(),
        now: @escaping @Sendable () -> Duration = { .zero }
    ) {
        journal = Guarded(PublishJournal(options.history))
        self.now = now
        customDataID = dataID
        self.options = options
        names = NameTable(connections: options.connectionNames, dataID: dataID)
    }

    /// The newest version.
    package var epoch: Epoch { state.withLock { $0.epoch } }

    var records: Records {
        #if BATON_TSAN
            var records = state.withLock { $0 }
            records.mark = VersionMark()
            return records
        #else
            state.withLock { $0 }
        #endif
    }

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
        let call: UInt64 = isShared ? 0 : nextCall()
        let key = OperationKey(artifact: ObjectIdentifier(artifact), variables: variables, call: call)
        if isShared, let known = operations.withLock({ $0.operation(key) }) { return known }
        // The number of a new root is known to nobody else before the operation is in the table.
        let hold = isQuery ? nil : NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let plans = operations.withLock { $0.plans(key) } ?? BoundPlans(artifact, variables: variables, names)
        let operation = BoundOperation(
            artifact: artifact, variables: variables, root: isQuery ? .root : names.newRoot(artifact.kind), key: key,
            source: self, plans: plans, refusal: refusal)
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
        bind(reference.target, Fragment.artifact)
    }

    /// The same for a reference without its type.
    func bind(_ target: GeneratedCode.FragmentTarget, _ artifact: GeneratedCode.FragmentArtifact) -> BoundFragment? {
        guard target.use.source === self else { return nil }
        let plan = sharedPlan(of: artifact) ?? target.use.operation.plans.plan(of: artifact)
        return BoundFragment(
            record: target.record,
            selections: BoundSelections(plan: plan, use: target.use, generation: target.generation))
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
}

/// Who keeps a store, and works with what comes out of it.
protocol StoreOwner: AnyObject, Sendable {}

struct WeakOwner: Sendable {
    weak var value: (any StoreOwner)?
}
