import Baton

/// The expected contents of a snapshot.
struct ModelSnapshotOfAll {
    let bytes: [UInt8]
    let state: ModelState
    let fetched: [ModelOperationKey: ModelFetch]
    let clock: Int
}

/// The time of an operation's fetch.
struct ModelFetch {
    var time: Int
    var clock: Int
    /// Whether the operation was invalidated since its fetch.
    var isRevoked = false
}

extension StoreDriver {
    func keepSnapshot() throws {
        let bytes = store.snapshot(at: .seconds(model.clock))
        var fetched = fetched
        for (key, fetch) in fetched {
            let invalidated = max(model.invalidatedOperations[key] ?? 0, model.invalidatedQueries[key.index] ?? 0)
            if invalidated > fetch.clock { fetched[key]?.isRevoked = true }
        }
        kept = ModelSnapshotOfAll(bytes: bytes, state: model.withoutCalls, fetched: fetched, clock: model.clock)
    }

    /// Restores a snapshot and checks that the next snapshot has the same bytes.
    func restoreSnapshot() throws {
        guard let kept else { return }
        let now = model.clock
        do {
            try store.restore(kept.bytes, at: .seconds(now))
            try expect(layers.isEmpty, "a snapshot was restored under optimistic changes")
        } catch SnapshotError.changesInFlight {
            return try expect(!layers.isEmpty, "a snapshot was refused")
        }
        publish { state in
            let clock = state.clock
            state = kept.state
            state.clock = clock
        }
        fetched = kept.fetched.mapValues { fetch in
            ModelFetch(time: fetch.time + now - kept.clock, clock: fetch.clock, isRevoked: fetch.isRevoked)
        }
        try expect(store.snapshot(at: .seconds(now)) == kept.bytes, "what was restored gives another snapshot")
    }

    /// Empties the store, as a log-out does, and checks the result.
    func reset() throws {
        // Requests in flight are cancelled.
        for request in notes.inFlight.keys { store.queryEnds(request) }
        notes = ModelNotes()
        store.reset()
        layers = []
        fetched = [:]
        generation += 1
        model.records = [:]
        model.deleted = []
        model.facts = [:]
        model.invalidateAll()
        model.clock += 1
        top = model
        emptiedAt = model.clock
        for index in live.indices {
            live[index].told += 1
            live[index].isOld = true
            try expect(live[index].subscriber.count == live[index].told, "not everybody heard that the store is empty")
        }
    }
}

extension ModelState {
    /// The state without responses of mutations and events to which no record links.
    fileprivate var withoutCalls: ModelState {
        var included: Set<String> = []
        var open = Set(records.keys).union(deleted).filter { !Self.isBelowCall($0) }.sorted()
        while let id = open.popLast() {
            guard presence(id) != .unknown, included.insert(id).inserted else { continue }
            for value in (records[id]?.fields ?? [:]).values { value.addTargets(to: &open) }
        }
        var state = self
        state.records = records.filter { included.contains($0.key) }
        state.deleted = deleted.intersection(included)
        state.invalidatedRecords = invalidatedRecords.filter { included.contains($0.key) }
        state.invalidatedOperations = [:]
        state.invalidatedQueries = [:]
        return state
    }

    static func isBelowCall(_ id: String) -> Bool {
        for kind in ["mutation", "subscription"] where id.hasPrefix("client:root:\(kind):") {
            let number = id.dropFirst("client:root:\(kind):".count).prefix { $0 != ":" }
            if !number.isEmpty, number.allSatisfy(\.isNumber) { return true }
        }
        return false
    }
}

extension ModelValue {
    fileprivate func addTargets(to targets: inout [String]) {
        switch self {
        case .scalar: break
        case .link(let id): targets.append(id)
        case .links(let ids): targets += ids.compactMap { $0 }
        case .list(let values): for value in values { value.addTargets(to: &targets) }
        }
    }
}
