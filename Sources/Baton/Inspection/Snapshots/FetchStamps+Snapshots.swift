extension FetchStamps {
    /// The stamp of a snapshot's first fetch; the stamps of the other fetches follow.
    static let firstRestored: Stamp = 2

    /// Makes stamps with these fetches and without records.
    init(restoring fetches: [FetchMark]) {
        self.init()
        table = FetchTable(table.entries + fetches.map { Entry(mark: $0) })
    }

    /// The fields of a record with their stamps.
    struct Pattern {
        let keys: [StorageKeyID]
        let stamps: [Stamp]
    }

    /// Stamps each field of a record and returns the record's stamp. The stamp can be used for other records with the
    /// same pattern, unless each field has a stamp of its own.
    ///
    /// The entries are made in the order of the fetches, the newest last, as if the responses had arrived in that
    /// order.
    mutating func restore(_ record: RecordID, _ pattern: Pattern, _ names: NameTable) -> Stamp {
        let stamp = stamp(of: pattern, record, names)
        set(record, stamp)
        return stamp
    }

    private mutating func stamp(of pattern: Pattern, _ record: RecordID, _ names: NameTable) -> Stamp {
        let distinct = Set(pattern.stamps)
        if distinct.count <= 1 { return distinct.first ?? Self.none }
        guard distinct.count <= Self.mostLayers + 1 else {
            var fields = FieldStamps()
            for (key, stamp) in zip(pattern.keys, pattern.stamps) { fields[key] = stamp }
            separated[record] = fields
            return Self.separate
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
        return top
    }
}

extension DecodedSnapshot {
    private struct Kind: Hashable {
        let form: Int
        let pattern: Int
    }

    /// Returns the fetch stamps of a snapshot's records, for a restore on top of version `base`. `keys` are the numbers
    /// of the snapshot's storage keys.
    func stamps(
        _ numbers: [RecordID], _ keys: [StorageKeyID], _ names: NameTable, at now: Duration, after base: Epoch
    ) -> FetchStamps {
        var stamps = FetchStamps(
            restoring: fetches.map { FetchMark(time: now - $0.age, began: base + 1 + Epoch($0.moment)) })
        var known: [Kind: (pattern: FetchStamps.Pattern, stamp: FetchStamps.Stamp)] = [:]
        for record in records where record.block >= 0 && record.fetched != SnapshotFormat.nobody {
            let number = numbers[Int(record.id)]
            let pattern = Int(record.fetched) - fetches.count
            guard pattern >= 0 else {
                stamps.set(number, stamp(Int(record.fetched)))
                continue
            }
            let kind = Kind(form: blocks[Int(record.block)].form, pattern: pattern)
            if let (pattern, stamp) = known[kind] {
                if stamp == FetchStamps.separate {
                    _ = stamps.restore(number, pattern, names)
                } else {
                    stamps.set(number, stamp)
                }
            } else {
                let pattern = FetchStamps.Pattern(
                    keys: forms[kind.form].keys.map { keys[$0] }, stamps: patterns[pattern].map(stamp))
                known[kind] = (pattern, stamps.restore(number, pattern, names))
            }
        }
        return stamps
    }

    /// Returns the stamp in the restored store for a source in the snapshot.
    private func stamp(_ fetched: Int) -> FetchStamps.Stamp {
        switch fetched {
        case SnapshotFormat.nobody: FetchStamps.none
        case SnapshotFormat.handler: FetchStamps.derived
        default: FetchStamps.firstRestored + FetchStamps.Stamp(truncatingIfNeeded: fetched)
        }
    }
}
