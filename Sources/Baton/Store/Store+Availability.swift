extension Store {
    /// Checks how much of an operation's data the store holds, by the rules of ``AvailabilityResult``.
    ///
    /// Values that missing-field handlers find are published before the method returns; `announce` gets the summary.
    ///
    /// - Parameter isArriving: True if later parts of a response are on their way, so that they do not count as
    ///   missing.
    package func check(
        _ operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        announce: ((PublishSummary) -> Void)? = nil
    ) -> Coverage {
        checkAvailability(of: operation, at: now, isArriving: isArriving, announce: announce).availability
    }

    /// Checks how much of an operation's data the store holds, and the reason why it is stale.
    ///
    /// - Parameter countsArrivals: True if deferred fields that are on their way for any operation do not count as
    ///   missing.
    package func checkAvailability(
        of operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        countsArrivals: Bool = false, announce: ((PublishSummary) -> Void)? = nil
    ) -> AvailabilityResult {
        // The hold keeps the numbers in the handlers' values until the values have landed.
        let hold = options.missingFieldHandlers.isEmpty ? nil : NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = records
        let result = AvailabilityResult(
            of: operation, in: records, isArriving: isArriving, countsArrivals && !arrivals.isEmpty ? arrivals : nil,
            .init(fetch: operations.fetch(of: operation), now: now, handlers: options.missingFieldHandlers))
        if !result.found.isEmpty {
            var publication = Publication(source: .missingFieldHandlers, generation: records.generation)
            publication.records.found = result.found
            queue.publish(publication, announce: announce)
        }
        return result
    }

    /// Returns true if a field that a read of a place lacks is on its way in a later part of a response.
    func isArriving(at record: RecordID, _ selections: BoundSelections) -> Bool {
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
