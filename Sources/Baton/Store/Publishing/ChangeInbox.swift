import Synchronization

/// The changes that a running collection has to know: the published, read and retained records since its last slice.
///
/// Changes are kept only while a collection runs. State: guarded by a lock of its own, which is taken inside those of
/// the publish queue and of the records.
final class ChangeInbox: Sendable {
    struct Contents: Sendable {
        var operations: [(plan: BoundPlan, root: RecordID)] = []
        /// The changed fields. The first `from` items of a list have not changed.
        var fields: [(record: RecordID, key: StorageKeyID, from: Int)] = []
        var records: [RecordID] = []
        /// The records that a new subscription reads.
        var read: [RecordID] = []

        var isEmpty: Bool { operations.isEmpty && fields.isEmpty && records.isEmpty && read.isEmpty }
        /// True if there are so many changes that a new collection costs less.
        var isTooLong: Bool { fields.count + records.count + read.count > 1 << 20 }

        /// Adds a changed field. A list that grows again and again is kept once.
        mutating func add(_ key: StorageKeyID, of record: RecordID, from: Int) {
            let last = fields.count - 1
            if last >= 0, fields[last].record == record, fields[last].key == key {
                fields[last].from = min(fields[last].from, from)
            } else {
                fields.append((record, key, from))
            }
        }
    }

    private let contents = Guarded(Contents(), .inbox)
    /// True while a collection runs.
    private let isCollecting = Atomic(false)

    // MARK: - For the collector

    /// Empties the inbox and begins to keep changes.
    func open() {
        isCollecting.store(true, ordering: .releasing)
        empty()
    }

    /// Empties the inbox and stops keeping changes.
    func close() {
        isCollecting.store(false, ordering: .releasing)
        empty()
    }

    private func empty() { contents.withLock { $0 = Contents() } }

    /// Removes and returns the changes.
    func take() -> Contents {
        var taken = Contents()
        contents.withLock { swap(&$0, &taken) }
        return taken
    }

    var isTooLong: Bool { contents.withLock { $0.isTooLong } }

    // MARK: - For publishes, which call these methods during their turn

    /// Adds the changes of a publish.
    @inline(__always)
    func addChanges(_ changes: borrowing ChangeSet) {
        if isCollecting.load(ordering: .relaxed) { addAllChanges(changes) }
    }

    @inline(never)
    private func addAllChanges(_ changes: borrowing ChangeSet) {
        let changes = copy changes
        contents.withLock { contents in
            var grown = changes.grown[...]
            for change in changes.changes {
                if change.isWhole {
                    contents.records.append(change.record)
                    continue
                }
                for place in change.first..<change.first + change.count {
                    let isGrown = grown.first?.place == place
                    let from = isGrown ? grown.removeFirst().from : 0
                    contents.add(changes.keys[place], of: change.record, from: from)
                }
            }
        }
    }

    /// Adds the links that layers now hide from readers. They can be reached again when the layers are dropped.
    /// `records` is the version after the merge.
    func addTargets(_ targets: [LayerReplay.Target], in records: borrowing Records) {
        guard isCollecting.load(ordering: .relaxed) else { return }
        var links: [RecordID] = []
        for target in targets {
            guard case .covered(let base) = target.base else { continue }
            for (_, value) in records.hiddenLinks(of: base, at: target.record) {
                value.forEachLink { links.append($0) }
            }
        }
        contents.withLock { $0.records.append(contentsOf: links) }
    }

    /// Adds the links that layers have written in a run, because layers above may hide them.
    func addChanges(of layers: [Layer]) {
        guard isCollecting.load(ordering: .relaxed) else { return }
        var links: [RecordID] = []
        for layer in layers {
            for entry in layer.outcome.entries {
                for value in entry.values { value.forEachLink { links.append($0) } }
            }
        }
        contents.withLock { $0.records.append(contentsOf: links) }
    }

    // MARK: - For reads and retains

    /// Returns true if the records that a subscription reads have to be noted.
    @inline(__always)
    var wantsReads: Bool { isCollecting.load(ordering: .acquiring) }

    /// Adds the records that a subscription has read. Must be called when the subscription is in the index.
    ///
    /// - Parameter first: The records that nobody read before; nil if that is not known. The collector finds the others
    ///   in the index, whatever replaces their subscriptions. Each new read of a long list would otherwise cost the
    ///   whole list.
    @inline(__always)
    func addReads(_ dependencies: borrowing Dependencies, first: [RecordID]?) {
        if isCollecting.load(ordering: .acquiring) { addAllReads(dependencies, first) }
    }

    @inline(never)
    private func addAllReads(_ dependencies: borrowing Dependencies, _ first: [RecordID]?) {
        let records = first ?? dependencies.pairs.map(\.record)
        contents.withLock { $0.read.append(contentsOf: records) }
    }

    /// Adds an operation that was retained. Must be called when the operation is in the table of retained operations.
    func addOperation(_ plan: BoundPlan, at root: RecordID) {
        guard isCollecting.load(ordering: .acquiring) else { return }
        contents.withLock { $0.operations.append((plan, root)) }
    }
}
