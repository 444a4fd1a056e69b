// The order of notifications has several owners, this one for one publish; ReadingTheDesign.md names the others.

// The store publishes and calls nobody. The functions of this file are the only ones that let it publish, and they tell
// whom a publish concerns. A check counts the calls.

extension Store {
    /// Lands a change of the records, of the layers, or of both, and tells whom it concerns.
    ///
    /// Records below `roots` are not counted as changed. `report` and `waiters` get the effect of the publish, while no
    /// lock is held and before any subscriber is notified; neither is called for a change that did not land.
    @discardableResult
    func land(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = [], report: PublishReport? = nil, waiters: ((PublishSummary) -> Void)? = nil
    ) -> PublishSummary {
        tell(
            queue.publish(consume publication, change, by: writer, privateTo: roots), after: change, report: report,
            waiters: waiters)
    }

    /// Lands the changes of an update; lands nothing if it throws.
    func land(
        report: PublishReport?, updating body: (RecordSourceProxy) throws -> Void
    ) throws -> PublishSummary {
        tell(try queue.update(body), report: report)
    }

    /// Lands a response together with the changes of an update; lands nothing if it throws.
    func land(
        _ response: borrowing Publication, at root: RecordID, _ change: LayerChange, by writer: Writer,
        report: PublishReport?, waiters: ((PublishSummary) -> Void)?,
        updating body: (RecordSourceProxy) throws -> Void
    ) throws -> PublishSummary {
        tell(
            try queue.publish(response, at: root, change, by: writer, updating: body), after: change, report: report,
            waiters: waiters)
    }

    /// Removes every record and every optimistic layer, and tells all readers.
    package func reset() { tell(empty()) }

    /// Tells whom a publish concerns, in this order: the log, the listeners for invalidations, the layers that have
    /// failed, those who wait for the request, and the readers of changed fields.
    ///
    /// Whoever waits for a request and goes on may read at once. So the readers are marked before, and hear of the
    /// change afterwards. Layers that could not run in this publish then run in one of their own.
    @discardableResult
    func tell(
        _ landing: consuming Landing, after change: LayerChange = .none, report: PublishReport? = nil,
        waiters: ((PublishSummary) -> Void)? = nil
    ) -> PublishSummary {
        landing.noteTelling()
        let summary = landing.summary
        guard summary.isLanded else { return summary }
        report?.write(summary)
        if landing.invalidates { invalidationWatch.notify() }
        for failure in landing.failures { failure.layer.failed(failure.error) }
        if let waiters {
            for subscriber in landing.subscribers { subscriber.mark(at: summary.epoch) }
            waiters(summary)
            for subscriber in landing.subscribers { subscriber.tell(at: summary.epoch) }
        } else {
            for subscriber in landing.subscribers { subscriber.storeDidChange(at: summary.epoch) }
        }
        if landing.hasStaleLayers, !LayerRun.isInside, !change.isRerun { land(queue.nothing, .rerun, report: report) }
        queue.growth.tellIfDue()
        return summary
    }
}
