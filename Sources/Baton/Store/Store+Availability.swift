extension Store {
    /// Returns true if a field that a read of a place lacks is on its way in a later part of a response, or may be in
    /// the file while that is suspended.
    func isArriving(at record: RecordID, _ selections: BoundSelections) -> Bool {
        if queue.needsSuspendedFile(selections.plan, at: record) { return true }
        if arrivals.isEmpty { return false }
        var check = AvailabilityCheck(records: records, plan: selections.plan, seeking: arrivals)
        check.check(record)
        return check.isArriving
    }

    /// Returns dependencies for a subscription that is notified when the first missing field of an operation may have
    /// arrived; nil if nothing is missing.
    func gap(of operation: BoundOperation) -> Dependencies? { operation.gap(in: records) }

    /// Returns true if the store has a field of an operation's root, even if other fields are missing.
    func hasFields(of operation: BoundOperation) -> Bool {
        let (plan, shape) = (operation.plans.write, records.shape(of: operation.root))
        var nodes = [0]
        while let node = nodes.popLast() {
            for index in plan.items(of: node) {
                let item = plan.items[index]
                switch item.kind {
                case .inline: nodes.append(Int(item.child))
                case .leaf, .composite: if shape.position(of: item.key) != nil { return true }
                case .excluded, .dataID, .spread: continue
                }
            }
        }
        return false
    }

    /// True if the store, the operation, or a record that it reads was invalidated after a version.
    package func wasInvalidated(_ operation: BoundOperation, since epoch: Epoch) -> Bool {
        operation.wasInvalidated(since: epoch, in: records)
    }
}
