/// The entries of a store's stamps. The table only grows, until another table replaces it.
///
/// Versions with the same table have the same entries under the same numbers. State: guarded by a lock of its own, a
/// leaf.
final class FetchTable: Sendable {
    private let guarded: Guarded<[FetchStamps.Entry]>
    /// The number of entries at which a search for unused entries is worth its cost.
    let limit: Int

    init() {
        let never = FetchMark(time: .zero, began: 0)
        guarded = Guarded([FetchStamps.Entry(mark: never), FetchStamps.Entry(mark: never)])
        limit = 4096
    }

    init(_ kept: [FetchStamps.Entry]) {
        guarded = Guarded(kept)
        limit = max(4096, kept.count * 2)
    }

    /// Makes a table for a store over another store. The entries are copied when the first entry is added, and the
    /// entries of the other store do not count for the limit.
    init(over other: FetchTable) {
        let entries = other.entries
        guarded = Guarded(entries)
        limit = entries.count + 4096
    }

    var entries: [FetchStamps.Entry] { guarded.withLock { $0 } }
    var count: Int { guarded.withLock { $0.count } }
    var capacity: Int { guarded.withLock { $0.capacity } }

    func add(_ entry: FetchStamps.Entry) -> FetchStamps.Stamp {
        guarded.withLock { entries in
            entries.append(entry)
            return FetchStamps.Stamp(truncatingIfNeeded: entries.count - 1)
        }
    }
}
