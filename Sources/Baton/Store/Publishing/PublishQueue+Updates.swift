// Updates run against a version while no lock is held. An update lands if the data that it read is still the same. An
// update that was overtaken runs again on the newest version, so that it never overwrites the changes of others.

extension PublishQueue {
    /// The greatest number of runs of an update; after the last it lands unchecked.
    private static let maximumRuns = 256
    /// The number of runs after which an update gets precedence, and the number of runs with precedence.
    private static let patience = 4
    private static let runsInTurn = 32

    /// Runs a local update and publishes its changes; publishes nothing if it throws.
    func update(_ body: (RecordSourceProxy) throws -> Void) throws -> Landing {
        try runUntilItLands { runs in
            let base = records
            let source = RecordSourceProxy(base: base, disk: lowerDisk, names: names, payloadRoot: nil)
            defer { source.end() }
            // From here on only the check holds the version. A held version would be copied when it changes (benchmark
            // `notify.publish-us`).
            let generation = base.generation
            var staged = StagedRecords()
            let reads = try updates.run(source, seeing: consume base, into: &staged, body)
            var publication = Publication(consume staged, generation: generation)
            publication.check = check(reads, after: runs)
            return publishUnlessOvertaken(publication, by: .newer)
        }
    }

    /// Does the work for the fields of a response and then runs an updater. Publishes their changes together with the
    /// response, and nothing if one of them throws.
    func publish(
        _ response: borrowing Publication, at root: RecordID, _ change: LayerChange, by writer: Writer,
        updating body: (RecordSourceProxy) throws -> Void
    ) throws -> Landing {
        try runUntilItLands { runs in
            let base = records
            var seen = response.records
            seen.stageConfirmed(against: base, names)
            if !seen.growths.isEmpty { seen.settleGrowths(over: base, names) }
            let source = RecordSourceProxy(
                base: base, response: seen, disk: lowerDisk, names: names, payloadRoot: root)
            defer { source.end() }
            var changes = StagedRecords()
            let reads = try updates.run(source, seeing: base, into: &changes) { source in
                try source.runHandlers(response.handled, handlers)
                try body(source)
                try source.deleteNamesakes()
            }
            var publication = response.copy()
            publication.handled = []
            publication.records.append(changes, names)
            publication.check = check(reads, after: runs)
            return publishUnlessOvertaken(publication, change, by: writer, privateTo: [root])
        }
    }

    /// Returns the check for an update that has run `runs` times; nil if the update lands unchecked.
    private func check(_ check: UpdateCheck?, after runs: Int) -> UpdateCheck? {
        guard var check, runs < Self.maximumRuns else { return nil }
        if runs > Self.patience { check.leaveRest() }
        return check
    }

    /// Runs an update until a run has landed; a run that was overtaken returns nil. The last run always lands.
    ///
    /// An update that was overtaken several times gets precedence for some runs. During these runs, updates that begin
    /// wait for it, as long as ``UpdatePriority`` allows.
    private func runUntilItLands(_ run: (_ runs: Int) throws -> Landing?) throws -> Landing {
        // The update with precedence may be waiting for this one.
        let isInside = LayerRun.isInside || updates.calling != nil
        if !isInside { updatePriority.letPass() }
        var hasTurn = false
        defer { if hasTurn { updatePriority.give() } }
        var runs = 1
        while true {
            if runs > Self.patience, runs <= Self.patience + Self.runsInTurn, !hasTurn, !isInside {
                hasTurn = updatePriority.take()
            } else if runs > Self.patience + Self.runsInTurn, hasTurn {
                // Precedence does not help: the update's body waits for others, or the changes do not come from
                // updates.
                updatePriority.give()
                hasTurn = false
            }
            if let landing = try run(runs) { return landing }
            runs += 1
        }
    }
}
