import Synchronization

/// What a collection under way has to hear of: what was published, read and retained since it looked last.
///
/// Nothing is kept while there is no collection. State: guarded by a lock of its own, inside those of the publish
/// queue and of the records.
final class CollectionInbox: Sendable {
    struct Contents: Sendable {
        var operations: [(plan: BoundPlan, root: RecordID)] = []
        var fields: [(record: RecordID, key: StorageKeyID)] = []
        var records: [RecordID] = []
        /// Records that somebody reads from now on.
        var read: [RecordID] = []

        var isEmpty: Bool { operations.isEmpty && fields.isEmpty && records.isEmpty && read.isEmpty }
        /// So much has happened that it is cheaper to begin again.
        var isTooLong: Bool { fields.count + records.count + read.count > 1 << 20 }
    }

    private let contents = Guarded(Contents(), .inbox)
    /// Set while there is a collection.
    private let isCollecting = Atomic(false)

    // MARK: - For the collector

    /// From now on everything is kept; empties it.
    func open() {
        isCollecting.store(true, ordering: .releasing)
        empty()
    }

    /// From now on nothing is kept.
    func close() {
        isCollecting.store(false, ordering: .releasing)
        empty()
    }

    private func empty() { contents.withLock { $0 = Contents() } }

    /// Hands out what is in it.
    func take() -> Contents {
        var taken = Contents()
        contents.withLock { swap(&$0, &taken) }
        return taken
    }

    var isTooLong: Bool { contents.withLock { $0.isTooLong } }

    // MARK: - For those who change something

    /// Adds what a publish has changed. To be called while no other publish can begin.
    @inline(__always)
    func add(_ changes: borrowing ChangeSet) {
        if isCollecting.load(ordering: .relaxed) { addAll(changes) }
    }

    @inline(never)
    private func addAll(_ changes: borrowing ChangeSet) {
        let (all, keys) = (changes.changes, changes.keys)
        contents.withLock { contents in
            for change in all {
                if change.isWhole {
                    contents.records.append(change.record)
                } else {
                    for key in keys[change.first..<change.first + change.count] {
                        contents.fields.append((change.record, key))
                    }
                }
            }
        }
    }

    /// Adds what records link to that layers cover: it can be reached again when the layers go.
    func add(_ targets: [LayerReplay.Target]) {
        guard isCollecting.load(ordering: .relaxed) else { return }
        var links: [RecordID] = []
        for target in targets {
            guard case .covered(let record) = target.base else { continue }
            for value in record.values { value.forEachLink { links.append($0) } }
        }
        contents.withLock { $0.records.append(contentsOf: links) }
    }

    /// Adds what a subscription has read. To be called when it is in the index.
    @inline(__always)
    func add(reading dependencies: borrowing Dependencies) {
        if isCollecting.load(ordering: .acquiring) { addAll(reading: dependencies) }
    }

    @inline(never)
    private func addAll(reading dependencies: borrowing Dependencies) {
        let records = dependencies.pairs.map(\.record)
        contents.withLock { $0.read.append(contentsOf: records) }
    }

    /// Adds an operation that was retained. To be called when it is among those that are.
    func add(_ plan: BoundPlan, at root: RecordID) {
        guard isCollecting.load(ordering: .acquiring) else { return }
        contents.withLock { $0.operations.append((plan, root)) }
    }
}
