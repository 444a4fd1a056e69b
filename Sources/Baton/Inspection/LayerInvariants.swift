// What must hold of optimistic layers, and of what lies under them.

extension Records {
    /// Each record that a layer writes is covered, and no other; what is covered is a record as a whole.
    func coverViolations(_ layers: borrowing LayerStack) -> [String] {
        var found: [String] = []
        let written = layers.writtenRecords
        for record in written where covered[record] == nil {
            found.append("a layer writes record \(record.index), and the base does not have it apart")
        }
        for (record, base) in covered {
            if !written.contains(record) { found.append("record \(record.index) is covered by no layer") }
            if base.shape.keys.count != base.values.count {
                found.append("the base of record \(record.index) has not as many values as keys")
            }
            if base.state != .existing, !base.values.isEmpty {
                found.append("the base of record \(record.index) does not exist and has values")
            }
        }
        return found
    }

    /// Errors stand at fields of records that exist, and at those without a value.
    func errorViolations(recordCount: Int) -> [String] {
        var found: [String] = []
        for (record, keys) in fieldErrors.records {
            if Int(record.index) >= recordCount { found.append("a record without a name has errors") }
            if keys.isEmpty { found.append("record \(record.index) has a list of no errors") }
            // A record that a layer took away still has those of the base.
            let base = base(of: record)
            if base.state != .existing {
                found.append("record \(record.index) has errors and does not exist")
                continue
            }
            for (key, errors) in keys {
                if errors.isEmpty { found.append("a field of record \(record.index) has no errors and an entry") }
                if let value = base.value(key), !value.hasNull {
                    found.append("a field of record \(record.index) has a value and errors")
                }
            }
        }
        return found
    }
}
