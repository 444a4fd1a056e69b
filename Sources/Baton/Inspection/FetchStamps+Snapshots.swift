extension FetchStamps {
    /// The stamp of the first fetch of a snapshot; the others follow.
    static let firstRestored: Stamp = 2

    /// Stamps for no records yet, under which these fetches can be found.
    init(restoring fetches: [FetchMark]) {
        self.init()
        table = FetchTable(table.entries.withLock { $0 } + fetches.map { Entry(mark: $0) })
    }

    /// A record's fields and their stamps: records that are alike in this share their entries.
    struct Pattern: Hashable {
        let keys: [StorageKeyID]
        let stamps: [Stamp]
    }

    /// Stamps each field of a record.
    ///
    /// The newest fetch stands in front, as it would if the answers had come one after the other.
    mutating func restore(_ record: RecordID, _ pattern: Pattern, _ names: NameTable, _ known: inout [Pattern: Stamp]) {
        let distinct = Set(pattern.stamps)
        if distinct.count <= 1 { return set(record, distinct.first ?? Self.none) }
        if let stamp = known[pattern] { return set(record, stamp) }
        guard distinct.count <= Self.mostLayers + 1 else {
            separated[record] = Dictionary(zip(pattern.keys, pattern.stamps)) { $1 }
            return set(record, Self.separate)
        }
        let entries = entries
        let ordered = distinct.sorted { left, right in
            let (first, second) = (entries[Int(left)].mark, entries[Int(right)].mark)
            return (first.began, first.time, left) < (second.began, second.time, right)
        }
        var top = ordered[0]
        for (layer, stamp) in ordered.dropFirst().enumerated() {
            let keys = zip(pattern.keys, pattern.stamps).filter { $1 == stamp }.map(\.0)
            top = table.add(
                Entry(
                    mark: entries[Int(stamp)].mark, keys: names.shape(keys), whole: stamp, rest: top, layers: layer + 1)
            )
        }
        known[pattern] = top
        set(record, top)
    }
}

extension DecodedSnapshot {
    /// When what the snapshot holds was fetched, for a store in whose version `base` it is restored.
    func stamps(
        _ numbers: [RecordID], _ names: NameTable, at now: Duration, after base: Epoch
    ) -> FetchStamps {
        var stamps = FetchStamps(
            restoring: fetches.map { FetchMark(time: now - $0.age, began: base + 1 + Epoch($0.moment)) })
        var known: [FetchStamps.Pattern: FetchStamps.Stamp] = [:]
        for record in records {
            switch record.fetched {
            case .never: continue
            case .whole(let fetch): stamps.set(numbers[record.id], fetch.stamp)
            case .fields(let fetches):
                let keys = record.form.map { forms[$0].keys } ?? []
                let pattern = FetchStamps.Pattern(
                    keys: keys.map { names.key($0) }, stamps: fetches.map(\.stamp))
                stamps.restore(numbers[record.id], pattern, names, &known)
            }
        }
        return stamps
    }
}

extension DecodedSnapshot.Source {
    /// The stamp that says the same in a store that was restored.
    fileprivate var stamp: FetchStamps.Stamp {
        switch self {
        case .nobody: FetchStamps.none
        case .handler: FetchStamps.derived
        case .fetch(let position): FetchStamps.firstRestored + FetchStamps.Stamp(truncatingIfNeeded: position)
        }
    }
}

/// The fetches that a snapshot mentions, in an order that depends on nothing but when they were.
struct SnapshotFetches {
    private struct Fetch: Hashable, Comparable {
        let moment: Int
        let age: Int

        static func < (left: Fetch, right: Fetch) -> Bool { (left.moment, right.age) < (right.moment, left.age) }
    }

    private let entries: [FetchStamps.Entry]
    private var used: Set<FetchStamps.Stamp> = []
    private var positions: [FetchStamps.Stamp: Int] = [:]
    private var list: [Fetch] = []

    /// The versions in which they began.
    var beginnings: [Epoch] { used.map { entries[Int($0)].mark.began } }

    init(of included: [RecordID], in records: Records) {
        entries = records.stamps.entries
        for record in included {
            let stamp = records.stamps.stamp(of: record)
            if FetchStamps.isWhole(stamp, entries) {
                used.insert(stamp)
            } else {
                for key in records.shape(of: record).keys {
                    used.insert(records.stamps.stamp(of: record, key, entries))
                }
            }
        }
        used = used.filter { $0 >= FetchStamps.firstRestored }
    }

    /// Puts them in order. `moment` gives the rank of a version among the invalidations, `age` how long ago a time was, in milliseconds.
    mutating func rank(moment: (Epoch) -> Int, age: (Duration) -> Int) {
        var fetches: [FetchStamps.Stamp: Fetch] = [:]
        for stamp in used {
            let mark = entries[Int(stamp)].mark
            fetches[stamp] = Fetch(moment: moment(mark.began), age: age(mark.time))
        }
        list = Set(fetches.values).sorted()
        let ranks = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) })
        positions = fetches.compactMapValues { ranks[$0] }
    }

    /// The list, as the format has it.
    var json: JSONValue { .array(list.map { [.int($0.age), .int($0.moment)] }) }

    /// Who brought the fields of a record, in the order of these keys; nil if no answer did.
    func json(of record: RecordID, _ keys: [StorageKeyID], in records: Records) -> JSONValue? {
        let stamp = records.stamps.stamp(of: record)
        if stamp == FetchStamps.none { return nil }
        if FetchStamps.isWhole(stamp, entries) { return .int(number(stamp)) }
        let numbers = keys.map { number(records.stamps.stamp(of: record, $0, entries)) }
        guard let first = numbers.first, numbers.contains(where: { $0 != first }) else {
            return numbers.first.flatMap { $0 == SnapshotFormat.nobody ? nil : .int($0) }
        }
        return .array(numbers.map { .int($0) })
    }

    private func number(_ stamp: FetchStamps.Stamp) -> Int {
        switch stamp {
        case FetchStamps.none: SnapshotFormat.nobody
        case FetchStamps.derived: SnapshotFormat.handler
        default: positions[stamp] ?? SnapshotFormat.nobody
        }
    }
}
