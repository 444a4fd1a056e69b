/// Follows the connection of a handle's fragment, and notifies the handle's observers when its ends change.
///
/// The fragment may select neither the page info nor its fields, so that the handle's own subscription does not cover
/// them. State: guarded by a lock of its own, outside those of the store.
final class ConnectionWatch: HandleObserver, StoreSubscriber {
    /// The records of a connection, as the store numbers them.
    private struct Place: Equatable {
        var connection: RecordID
        var info: RecordID?
    }

    private struct State {
        /// The fragment at its record, and the query with its variables.
        var bound: Bound?
        var place: Place?
        var subscription: SubscriptionID?
        /// The state of which observers know; nil before the first one.
        var shown: ConnectionState?
        var isClosed = false
    }

    private struct Bound {
        let target: GeneratedCode.FragmentTarget
        let fragment: BoundFragment
        let query: BoundOperation
    }

    private let core: FragmentCore
    private let query: LoadQuery
    private let metadata: GeneratedCode.ConnectionMetadata
    private let path: [String]
    private let guarded = Guarded(State(), .handle)

    private var store: Store { core.environment.store }
    private var keys: ConnectionKeys { store.names.connections }

    /// Makes a watch; nil if there is a list on the way to the connection, so that the fragment has several.
    init?(_ core: FragmentCore, _ query: LoadQuery, _ metadata: GeneratedCode.ConnectionMetadata) {
        guard let path = metadata.path else { return nil }
        (self.core, self.query, self.metadata, self.path) = (core, query, metadata, path)
    }

    /// The newest state.
    var state: ConnectionState { refresh(isShown: false).state }

    func close() {
        guarded.withLock { state in
            state.isClosed = true
            if let subscription = state.subscription { store.unsubscribe(subscription) }
            state.subscription = nil
        }
    }

    // MARK: - Notifications

    func storeDidChange(at epoch: Epoch) { _ = notify() }

    func notify() -> Bool {
        // A watch that was made in vain, because another thread was first, leaves the observers at the next change.
        if isGone { return false }
        if refresh(isShown: true).hasChanged { core.statusDidChange() }
        return true
    }

    func end() {}

    var isGone: Bool { guarded.withLock { $0.isClosed } }

    // MARK: - Reading

    /// Reads the connection, and subscribes to it if it is another one than before.
    ///
    /// - Parameter isShown: True if observers are told of a change.
    private func refresh(isShown: Bool) -> (state: ConnectionState, hasChanged: Bool) {
        var hasChanged = false
        let state = Retry.whileOthersMove {
            let bound = bound
            let result = refresh(bound, isShown: isShown)
            hasChanged = hasChanged || result.hasChanged
            // Another thread may have shown another reference, and read it, meanwhile.
            return core.target == bound?.target || bound == nil && self.bound == nil ? result.state : nil
        }
        return (state, hasChanged)
    }

    private func refresh(_ bound: Bound?, isShown: Bool) -> (state: ConnectionState, hasChanged: Bool) {
        guarded.withLock { state in
            state.bound = bound
            var hasChanged = false
            return Retry.whileOthersMove {
                let records = store.records
                let place = bound.flatMap { self.place(from: $0.fragment, in: records) }
                let next = place.map { self.state(at: $0, in: records) } ?? ConnectionState()
                hasChanged = hasChanged || isShown && state.shown != nil && next != state.shown
                if isShown { state.shown = next }
                guard !state.isClosed, place != state.place else { return (next, hasChanged) }
                state.place = place
                guard let place, let bound, let dependencies = dependencies(on: place, bound.query, records.epoch)
                else {
                    if let subscription = state.subscription { store.clear(subscription) }
                    return (next, hasChanged)
                }
                let (id, isOld) = store.subscribe(quietly: self, to: dependencies, replacing: state.subscription)
                state.subscription = id
                if !isOld { return (next, hasChanged) }
                // Another thread has published meanwhile.
                state.place = nil
                return nil
            }
        }
    }

    /// The fragment and the query for the handle's reference; nil without one.
    private var bound: Bound? {
        guard let target = core.target else { return nil }
        if let known = guarded.withLock({ $0.bound }), known.target == target { return known }
        guard let fragment = store.bind(target, query.fragment) else { return nil }
        let query = query.bind(query.variables(of: target, adopted: nil), replacing: [])
        return Bound(target: target, fragment: fragment, query: query)
    }

    /// Follows the path from the fragment's record to the connection that the client keeps.
    private func place(from fragment: BoundFragment, in records: Records) -> Place? {
        let plan = fragment.selections.plan
        if let collection = fragment.selections.collection,
            records.slot(of: fragment.record).collection != collection
        {
            return nil
        }
        var (record, nodes) = (fragment.record, [0])
        for name in path {
            guard let field = plan.field(.key(name), in: nodes), let next = records.link(field.key, of: record) else {
                return nil
            }
            (record, nodes) = (next, field.children)
        }
        return Place(connection: record, info: records.link(keys.pageInfo, of: record))
    }

    private func state(at place: Place, in records: Records) -> ConnectionState {
        var state = ConnectionState()
        state.count = records.value(keys.edges, of: place.connection)?.linkList?.count ?? 0
        guard let info = place.info else { return state }
        func cursor(_ key: StorageKeyID) -> JSONValue? {
            switch records.value(key, of: info) {
            case nil, .null, .link, .links: nil
            case let value?: value.json { _ in "" }
            }
        }
        func holds(_ key: StorageKeyID) -> Bool {
            if case .bool(true) = records.value(key, of: info) { true } else { false }
        }
        if metadata.forward?.cursor != nil {
            state.end = cursor(keys.endCursor)
            state.hasNext = state.end != nil && holds(keys.hasNextPage)
        }
        if metadata.backward?.cursor != nil {
            state.start = cursor(keys.startCursor)
            state.hasPrevious = state.start != nil && holds(keys.hasPreviousPage)
        }
        return state
    }

    /// Returns the selection sets of the connection and its page info, as the query that fetches pages has them.
    private func dependencies(on place: Place, _ query: BoundOperation, _ epoch: Epoch) -> Dependencies? {
        let plan = query.plans.write
        var nodes = [0]
        for name in self.query.route.path + path {
            guard let field = plan.field(.key(name), in: nodes) else { return nil }
            nodes = field.children
        }
        func pairs(_ record: RecordID, _ nodes: [Int]) -> [Dependencies.Pair] {
            nodes.map { Dependencies.Pair(record: record, node: UInt32(truncatingIfNeeded: $0)) }
        }
        var dependencies = Dependencies(
            epoch: epoch, selections: BoundSelections(plan: plan, use: OperationUse(query)))
        dependencies.others = pairs(place.connection, nodes)
        let names = store.options.connectionNames
        if let info = place.info, let field = plan.field(.key(names.pageInfo), in: nodes) {
            dependencies.others += pairs(info, field.children)
        }
        return dependencies
    }
}

extension Records {
    /// Returns the record to which a field links; nil if there is none or it does not exist.
    fileprivate func link(_ key: StorageKeyID, of record: RecordID) -> RecordID? {
        guard case .link(let target) = value(key, of: record), state(of: target) == .existing else { return nil }
        return target
    }
}
