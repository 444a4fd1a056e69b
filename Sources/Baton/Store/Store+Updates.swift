// Updates run outside every lock, against a version. They land if what they read is still the same; otherwise they run
// again, so that none takes back what another has done meanwhile.

extension Store {
    /// How often an update runs at most; then it lands as it is.
    private static let maximumRuns = 256
    /// After so many runs it goes first, for so many runs.
    private static let patience = 4
    private static let runsInTurn = 32

    /// Runs a local update and publishes what it did; publishes nothing if it throws.
    ///
    /// It sees the base, without optimistic layers, and lands under them. The body runs again if what it read has
    /// changed when it is to land.
    @discardableResult
    package func update<Result>(
        announce: (PublishSummary) -> Void = { _ in },
        _ body: (RecordSourceProxy) throws -> Result
    ) throws -> (Result, PublishSummary) {
        try untilItLands { runs in
            let base = records
            let source = RecordSourceProxy(base: base, names: names, payloadRoot: nil)
            defer { source.end() }
            // From here on nobody but the check holds the version: what is held would be copied when it is changed
            // (benchmark `notify.publish-us`).
            let generation = base.generation
            let (result, staged, reads) = try queue.updates.run(source, seeing: consume base, body)
            var publication = Publication(staged, generation: generation)
            publication.check = check(reads, after: runs)
            let summary = queue.publishUnlessOvertaken(publication, by: .newer, announce: announce)
            guard let summary else { return nil }
            return (result, summary)
        }
    }

    /// Merges an answer and what an updater does on top of it.
    ///
    /// The updater sees the store with the answer in it and without optimistic layers; both land together. If it
    /// throws, neither lands. It runs again if what it read has changed when they are to land.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation, request: Int? = nil, dropping layer: LayerID? = nil,
        isNewer: Bool = false,
        announce: (PublishSummary) -> Void = { _ in },
        updating body: (RecordSourceProxy) throws -> Void
    ) throws -> PublishSummary {
        if response.root != operation.root { operations.setRoot(response.root, of: operation) }
        let source = WriteSource.answer(operation.artifact, request: request ?? 0, operation.key)
        let answer = Publication(response, source: source)
        return try withExtendedLifetime(response) {
            try untilItLands { runs in
                let base = records
                var seen = answer.records
                seen.settle(against: base, names)
                let source = RecordSourceProxy(base: base, answer: seen, names: names, payloadRoot: response.root)
                defer { source.end() }
                let (_, changes, reads) = try queue.updates.run(source, seeing: base) { source in
                    try source.runHandlers(answer.handled, options.fieldHandlers)
                    try body(source)
                }
                var publication = answer
                publication.handled = []
                publication.records.append(changes, names)
                publication.check = check(reads, after: runs)
                return queue.publishUnlessOvertaken(
                    publication, layer.map { .drop([$0]) } ?? .none,
                    by: isNewer ? .newer : writer(of: operation, request),
                    privateTo: [response.root], announce: announce)
            }
        }
    }

    /// What is checked when an update is to land that has run so many times.
    private func check(_ check: UpdateCheck?, after runs: Int) -> UpdateCheck? {
        guard var check, runs < Self.maximumRuns else { return nil }
        if runs > Self.patience { check.leaveRest() }
        return check
    }

    /// Runs an update until it gives something; the last run does.
    private func untilItLands<Result>(_ run: (_ runs: Int) throws -> Result?) throws -> Result {
        // Who has the turn may be waiting for this one.
        let isInside = LayerRun.isInside || queue.updates.calling != nil
        if !isInside { queue.updatePriority.letPass() }
        var hasTurn = false
        defer { if hasTurn { queue.updatePriority.give() } }
        var runs = 1
        while true {
            if runs > Self.patience, runs <= Self.patience + Self.runsInTurn, !hasTurn, !isInside {
                hasTurn = queue.updatePriority.take()
            } else if runs > Self.patience + Self.runsInTurn, hasTurn {
                // Its body waits for others, or they are no updates.
                queue.updatePriority.give()
                hasTurn = false
            }
            if let result = try run(runs) { return result }
            runs += 1
        }
    }
}
