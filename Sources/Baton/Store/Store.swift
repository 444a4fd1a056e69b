import Synchronization

/// The records of an environment, with their subscriptions and the operations that were fetched.
///
/// The store is a facade: each part has state of its own and the lock that guards it. Every method may be called from
/// any thread. ``LockRank`` gives the order of the locks. Code of the application (updates, conversions, data ID
/// functions, subscribers) runs while no lock is held.
package final class Store: RecordSource {
    /// Names and their numbers.
    let names: NameTable
    /// The newest version of the records.
    private let newest: NewestRecords
    /// The remembered publishes.
    let journal: Journal
    /// The subscriptions, by the records that they read.
    let subscriptions = Subscriptions()
    /// The listeners for invalidations.
    let invalidationWatch = InvalidationWatch()
    /// The operations in use, their holders, the release buffer, and the last fetches.
    package let operations: Operations
    /// The queue through which all changes of the records go.
    let queue: PublishQueue
    /// The collector of unused records.
    package let collector: Collector
    /// What the later parts of responses in flight will fill.
    let arrivals = Arrivals()
    /// Decides when a collection is worth its cost.
    let triggers: CollectionTriggers
    /// The plans of fragments without variables, by artifact.
    private let fragments = Guarded<[ObjectIdentifier: BoundPlan]>([:])
    private let calls = Atomic<UInt64>(0)
    /// Whether the store was read since the last optimistic change of the application.
    let unseenLayer = UnseenLayer()
    /// The identity of this store, for operations and results.
    let home = RecordHome()
    /// True if the operations and results of the store keep it alive. The store of an environment ends with the
    /// environment.
    private let isKeptByOperations: Bool
    /// The time since the environment was made.
    let now: @Sendable () -> Duration
    let customDataID: DataID.Function?
    let options: StoreOptions

    /// Makes an empty store. The data ID function and the clock are called while no lock is held.
    package convenience init(
        dataID: DataID.Function? = nil, options: StoreOptions = StoreOptions(), isKeptByOperations: Bool = true,
        now: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.init(
            NameTable(
                connections: options.connectionNames, dataID: dataID, resultWords: options.resultWords),
            NewestRecords(), options: options, isKeptByOperations: isKeptByOperations, now: now)
    }

    /// Makes a store over a file, which is opened now. If that fails and may succeed later, the store begins in memory.
    /// Throws if the file can never be opened.
    package convenience init(
        disk: any RecordDisk, dataID: DataID.Function? = nil, options: StoreOptions = StoreOptions(),
        isKeptByOperations: Bool = true, now: @escaping @Sendable () -> Duration = { .zero }
    ) throws(PersistenceError) {
        if let mistake = disk.unstored.mistake { throw mistake }
        let opening: DiskOpening
        var failure: PersistenceError?
        do throws(PersistenceError) {
            opening = try disk.open()
        } catch {
            guard let first = disk.opening(after: error) else { throw error }
            (opening, failure) = (first, error)
        }
        let names = NameTable(
            connections: options.connectionNames, dataID: dataID, resultWords: options.resultWords)
        names.beginSession(opening.session)
        self.init(
            names, NewestRecords(StoreDisk.records(from: opening, names)), options: options,
            isKeptByOperations: isKeptByOperations, disk: StoreDisk(disk, opening, names, now: now()), now: now)
        if let failure {
            queue.disk?.isWaiting.store(true, ordering: .releasing)
            queue.disk?.reports.note(failure)
        }
        queue.beginWriting()
    }

    /// Makes a store that begins with the records of another store. It costs only the memory of its own writes, and its
    /// first response copies the list of the base's fetches. Its operations do not keep it alive.
    package convenience init(over base: StoreBase) {
        self.init(
            NameTable(over: base.names), NewestRecords(base.records.withOwnStamps), fetches: base.fetches,
            options: base.options, isKeptByOperations: false, now: base.now)
    }

    private init(
        _ names: NameTable, _ newest: NewestRecords, fetches: OperationTable.Base? = nil, options: StoreOptions,
        isKeptByOperations: Bool, disk: StoreDisk? = nil, now: @escaping @Sendable () -> Duration
    ) {
        self.isKeptByOperations = isKeptByOperations
        self.now = now
        self.names = names
        self.newest = newest
        self.options = options
        customDataID = names.customDataID
        journal = Journal(options.history, now: now)
        queue = PublishQueue(
            newest, names, handlers: options.fieldHandlers, journal: journal, subscriptions: subscriptions,
            disk: disk, now: now)
        triggers = CollectionTriggers(after: queue.growth)
        operations = Operations(
            .init(bufferSize: options.releaseBufferSize, expiration: options.expiration.map(BoundedTime.of)),
            journal: journal,
            inbox: queue.inbox, triggers: triggers, over: fetches, now: now)
        collector = Collector(
            names, queue: queue, operations: operations, journal: journal, triggers: triggers)
    }

    deinit { names.forgetRecords() }

    /// The number of the newest version.
    package var epoch: Epoch { newest.epoch }
    /// The number of the newest version, and the store's generation.
    package var version: (epoch: Epoch, generation: Int) { newest.version }
    var records: Records { newest.records }

    // MARK: - Binding

    /// Prepares an operation. Calls of a query with equal variables share one object as long as it is in use.
    ///
    /// If `retaining` is true, the operation is also retained, in the same step, and the caller must release it.
    package func bind<Operation: GraphQLOperation>(
        _ operation: Operation, retaining: Bool = false
    ) -> BoundOperation {
        let artifact = Operation.artifact
        let encoded = GeneratedCode.VariableEncoder.encode(
            operation.variables, artifact.provided, operationName: artifact.name)
        return bind(artifact, variables: .object(encoded.members), refusal: encoded.refusal, retaining: retaining)
    }

    /// Prepares an operation whose variables are given as JSON, and retains it if `retaining` is true.
    ///
    /// A refused operation is not shared, because its variables are incomplete.
    package func bind(
        _ artifact: GeneratedCode.OperationArtifact, variables: JSONValue, refusal: RelayError? = nil,
        retaining: Bool = false
    ) -> BoundOperation {
        let isQuery = artifact.kind == .query
        let isShared = isQuery && refusal == nil
        let call = isShared ? 0 : calls.add(1, ordering: .relaxed).newValue
        let key = OperationKey(artifact: ObjectIdentifier(artifact), variables: variables, call: call)
        while true {
            let known = isShared ? operations.known(key, retaining: retaining) : (operation: nil, plans: nil)
            if let operation = known.operation { return operation }
            // The number of a new root is not in the table yet, so only the hold keeps it.
            let hold = isQuery ? nil : NumberHold(names)
            defer { withExtendedLifetime(hold) {} }
            let plans = known.plans ?? BoundPlans(artifact, variables: variables, names)
            let operation = BoundOperation(
                artifact: artifact, variables: variables, root: isQuery ? .root : names.newRoot(artifact.kind),
                key: key, home: home, kept: isKeptByOperations ? self : nil, plans: plans, refusal: refusal)
            if let added = operations.add(operation, retaining: retaining) { return added }
        }
    }

    /// Prepares a fragment; nil if the reference comes from another store.
    package func bind<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> BoundFragment? {
        bind(reference.target, Fragment.artifact)
    }

    /// Prepares a fragment for a reference without its type.
    package func bind(_ target: GeneratedCode.FragmentTarget, _ artifact: GeneratedCode.FragmentArtifact)
        -> BoundFragment?
    {
        guard target.use.home === home else { return nil }
        let use = target.use
        let plan = sharedPlan(of: artifact) ?? use.operation.plans.plan(of: artifact, passing: use.arguments)
        return BoundFragment(
            record: target.record,
            selections: BoundSelections(plan: plan, use: use.reading(plan), collection: target.collection))
    }

    /// Returns the plan that serves every operation; nil if the fragment uses variables.
    private func sharedPlan(of artifact: GeneratedCode.FragmentArtifact) -> BoundPlan? {
        let key = ObjectIdentifier(artifact)
        if let known = fragments.withLock({ $0[key] }) { return known }
        guard case .success(let plan) = artifact.reader.plan, !plan.usesVariables else { return nil }
        let none = VariableValues(sent: .null, declared: [])
        let bound = BoundPlan.bind(artifact, none, nil, names)
        return fragments.withLock { fragments in
            if let known = fragments[key] { return known }
            fragments[key] = bound
            return bound
        }
    }

    /// Returns the identity of a record as text.
    package func dataID(of record: RecordID) -> DataID { names.dataID(of: record) }

    // MARK: - Reading

    /// Reads a selection set at a record in the newest version.
    ///
    /// `previous` are the dependencies of an older read of the same selections. The read reuses unchanged parts; the
    /// result is the same without `previous`.
    package func read<Data: GeneratedCode.SelectionSet>(
        _ type: Data.Type, at root: RecordID, _ selections: BoundSelections, after previous: Dependencies? = nil
    ) -> ReadResult<Data> {
        ReadResult(outcome: read(at: root, selections, after: previous))
    }

    /// Reads a selection set as the method above does, without the type of the data.
    func read(at root: RecordID, _ selections: BoundSelections, after previous: Dependencies?) -> RowResult {
        unseenLayer.noteRead()
        if selections.plan.isOfOneRow, let row = newest.look({ $0.heldRow(of: root) }),
            let outcome = selections.read(row, of: root)
        {
            return outcome
        }
        let hold = hold(for: selections.plan)
        defer { withExtendedLifetime(hold) {} }
        let outcome = records.read(at: root, selections, after: previous)
        guard outcome.isMissingData, queue.readFromDisk(selections.plan, at: root) else { return outcome }
        return records.read(at: root, selections, after: previous)
    }

    /// Reads the data of an operation. The data of a mutation is read without optimistic changes of others: as the
    /// mutation's response and updates have left it.
    package func read<Data: GeneratedCode.SelectionSet>(_ type: Data.Type, of operation: BoundOperation) -> ReadResult<
        Data
    > {
        ReadResult(outcome: read(operation))
    }

    /// Reads the data of an operation as the method above does, without the type of the data.
    ///
    /// - Parameter previous: The dependencies of an older read of the operation. The new read reuses unchanged parts.
    func read(_ operation: BoundOperation, after previous: Dependencies? = nil) -> RowResult {
        unseenLayer.noteRead()
        let hold = hold(for: operation.reader.plan)
        defer { withExtendedLifetime(hold) {} }
        let outcome = readNewest(operation, after: previous)
        guard outcome.isMissingData, queue.readFromDisk(operation.reader.plan, at: operation.root) else {
            return outcome
        }
        return readNewest(operation, after: previous)
    }

    private func readNewest(_ operation: BoundOperation, after previous: Dependencies?) -> RowResult {
        guard operation.artifact.kind == .mutation, !records.covered.isEmpty else {
            return records.read(at: operation.root, operation.reader, after: previous)
        }
        return records.readBelowLayers(at: operation.root, operation.reader)
    }

    /// Returns a hold for a read, which must be made before the version is copied; nil if the result has no data IDs.
    private func hold(for plan: BoundPlan) -> NumberHold? { plan.tellsDataIDs ? NumberHold(names) : nil }

    /// Returns the stored data of an operation as JSON.
    package func json(of operation: BoundOperation) -> JSONValue {
        unseenLayer.noteRead()
        _ = queue.readFromDisk(operation.plans.write, at: operation.root)
        var export = JSONExport(records: records, plan: operation.plans.write, names: names)
        return export.data(at: operation.root)
    }

    // MARK: - Subscribing

    /// Has the subscriber notified of every later change of the data that was read, until `unsubscribe`. Returns true
    /// if the data has changed since the read, of which nobody is notified. May be called while a lock is held.
    ///
    /// The subscriber is held until `unsubscribe`. If the subscription replaces an old one, the old subscriber stays.
    package func subscribe(
        quietly subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing old: SubscriptionID? = nil
    ) -> (id: SubscriptionID, hasChanged: Bool) {
        let (id, first) = subscriptions.add(
            subscriber, dependencies, replacing: old, notesFirst: queue.inbox.wantsReads)
        queue.inbox.addReads(dependencies, first: first)
        // A later publish finds the subscription. The comparison of versions finds an earlier publish.
        guard epoch != dependencies.epoch else { return (id, false) }
        return (id, dependencies.haveChanged(in: records))
    }

    /// Ends a subscription; does nothing if it has ended.
    package func unsubscribe(_ id: SubscriptionID) { subscriptions.remove(id) }

    /// Pauses a subscription: the subscriber is not notified until the subscription is replaced, and keeps its place in
    /// the order.
    package func clear(_ id: SubscriptionID) { subscriptions.clear(id) }
}
