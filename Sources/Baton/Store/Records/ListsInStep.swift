/// The lists of the newest version that hold exactly what a response in parts has brought of them, so that further
/// items belong at their ends.
///
/// A list is noted when items of a response were added to its end, and forgotten when anything else changes it. So a
/// payload need not look at the items that came before it (benchmarks `parts.growth-100k`, `parts.connection-growth`).
struct ListsInStep: Sendable {
    private var lists: [RecordID: [StorageKeyID: GrowingList.Mark]] = [:]
    /// The number of records at which those are removed whose responses have ended.
    private var limit = 16

    /// Returns true if a list holds exactly the first items that a response has brought.
    func hold(_ key: StorageKeyID, of record: RecordID, _ list: GrowingList, count: Int) -> Bool {
        !lists.isEmpty && lists[record]?[key]?.isOf(list, count: count) == true
    }

    /// Notes what a merge has changed.
    ///
    /// - Parameter added: The lists to whose ends the merge has added items, and nothing else.
    mutating func note(_ changes: ChangeSet, added: [(record: RecordID, key: StorageKeyID, mark: GrowingList.Mark)]) {
        if lists.isEmpty, added.isEmpty { return }
        for change in changes.changes where lists[change.record] != nil {
            if change.isWhole {
                lists[change.record] = nil
            } else {
                for key in changes.keys[change.first..<change.first + change.count] {
                    lists[change.record]?[key] = nil
                }
            }
        }
        for list in added { lists[list.record, default: [:]][list.key] = list.mark }
        guard lists.count > limit else { return }
        lists = lists.compactMapValues { lists in
            let live = lists.filter { $1.isLive }
            return live.isEmpty ? nil : live
        }
        limit = max(16, lists.count * 2)
    }
}
