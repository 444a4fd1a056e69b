extension Records {
    /// Checks that exactly the records that layers write are covered, each by its whole base record.
    func coverViolations(_ layers: borrowing LayerStack, _ names: NameTable) -> [String] {
        var found: [String] = []
        let written = layers.writtenRecords
        let replay = LayerReplay(layers, self, Publication(generation: generation), .none, names)
        for record in written where layers.stale.isEmpty {
            let (expected, known) = (replay.whole(record, below: .top), whole(record))
            let isSame =
                expected.state == known.state && expected.type == known.type
                && Set(expected.shape.keys) == Set(known.shape.keys)
                && known.shape.keys.allSatisfy { key in
                    guard let left = expected.value(key), let right = known.value(key) else { return false }
                    return left.isIdentical(to: right)
                }
            if !isSame { found.append("\(names.label(of: record)) is not what the layers make of it") }
        }
        for record in written where covered[record] == nil {
            found.append("a layer writes \(names.label(of: record)), and the base does not have it apart")
        }
        for (record, base) in covered {
            if !written.contains(record) { found.append("\(names.label(of: record)) is covered by no layer") }
            if base.shape.count != base.values.count {
                found.append("the base of \(names.label(of: record)) has not as many values as keys")
            }
            if base.state != .existing, !base.values.isEmpty {
                found.append("the base of \(names.label(of: record)) does not exist and has values")
            }
        }
        return found
    }

    /// Checks that only fields without a value have errors, and only fields of existing records.
    func errorViolations(recordCount: Int, _ names: NameTable) -> [String] {
        var found: [String] = []
        for (record, keys) in fieldErrors.records {
            if Int(record.index) >= recordCount { found.append("a record without a name has errors") }
            if keys.isEmpty { found.append("\(names.label(of: record)) has a list of no errors") }
            // A record that a layer deleted still has the errors of the base.
            let base = base(of: record)
            if base.state != .existing {
                found.append("\(names.label(of: record)) has errors and does not exist")
                continue
            }
            for (key, errors) in keys {
                if errors.isEmpty { found.append("a field of \(names.label(of: record)) has no errors and an entry") }
                if let value = base.value(key), !value.hasNull {
                    found.append("a field of \(names.label(of: record)) has a value and errors")
                }
            }
        }
        return found
    }
}
