extension DecodedSnapshot {
    /// Returns the record numbers of the identities. `bytes` are the bytes of the snapshot.
    func intern(_ names: NameTable, _ bytes: [UInt8]) throws(SnapshotError) -> [RecordID] {
        let keys = keys.map { names.key($0) }
        names.access { $0.records.reserve(ids.count) }
        let records = JSONCursor.reading(bytes) { cursor in
            var records: [RecordID] = []
            records.reserveCapacity(ids.count)
            // Texts in a row are taken together, so that the loads of their buckets overlap (benchmark
            // `restore.vs-ingest`).
            var texts: [IDText] = []
            texts.reserveCapacity(64)
            while records.count < ids.count {
                let range = records.count..<min(records.count + 64, ids.count)
                names.access { names in
                    for id in ids[range] {
                        if case .bytes(let start, let end) = id {
                            texts.append(IDText(prefix: .none, range: start..<end))
                            continue
                        }
                        names.records.intern(texts, in: cursor, into: &records)
                        texts.removeAll(keepingCapacity: true)
                        switch id {
                        case .bytes: break
                        case .text(let position):
                            records.append(names.records.intern(Array(self.texts[position].utf8)) ?? .none)
                        case .place(let parent, let key, let index):
                            records.append(
                                names.records.intern(parent: records[Int(parent)], key: keys[Int(key)], index: index))
                        }
                    }
                    names.records.intern(texts, in: cursor, into: &records)
                    texts.removeAll(keepingCapacity: true)
                }
            }
            return records
        }
        var known = RecordSet()
        for (position, record) in records.enumerated() where record != .none && !known.insert(record) {
            throw .notASnapshot("identity \(position) is there twice")
        }
        return records
    }

    /// Returns the blocks in a store's form: with the store's numbers of types, keys and records.
    func makeBlocks(
        _ numbers: [RecordID], _ keys: [StorageKeyID], _ names: NameTable
    ) -> [RecordBlock] {
        let shapes = forms.map { form in
            (type: names.type(form.type), shape: names.shape(form.keys.map { keys[$0] }))
        }
        return blocks.map { block in
            let (type, shape) = shapes[block.form]
            let made = RecordBlock(type, shape, taking: block.rows)
            for (place, hasLinks) in forms[block.form].hasLinks.enumerated() where hasLinks {
                for row in 0..<made.count { made[row, place].renumber(numbers) }
            }
            return made
        }
    }
}

extension Value {
    /// Replaces positions in a list of numbers by the record numbers at those positions.
    fileprivate mutating func renumber(_ numbers: [RecordID]) {
        switch self {
        case .link(let target): self = .link(numbers[Int(target.index)])
        case .links(var targets):
            // With a single reference the list is changed in place.
            self = .null
            for index in targets.indices where targets[index] != .none {
                targets[index] = numbers[Int(targets[index].index)]
            }
            self = .links(targets)
        case .list(var values):
            self = .null
            for index in values.indices { values[index].renumber(numbers) }
            self = .list(values)
        default: break
        }
    }
}
