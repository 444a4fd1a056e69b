// Updates run against a version while no lock is held. An update lands if the data that it read is still the same;
// otherwise it runs again, so that it never overwrites the changes of others.

extension Store {
    /// The greatest number of runs of an update; after the last it lands unchecked.
    private static let maximumRuns = 256
    /// The number of runs after which an update gets precedence, and the number of runs with precedence.
    private static let patience = 4
    private static let runsInTurn = 32

    /// Runs a local update and publishes its changes; publishes nothing if it throws.
    ///
    /// The update sees the base without optimistic layers, and lands below them. Its body runs again if the data that
    /// it read has changed before it lands.
    @discardableResult
    package func update<Result>(
        announce: (PublishSummary) -> Void = { _ in },
        _ body: (RecordSourceProxy) throws -> Result
    ) throws -> (Result, PublishSummary) {
        try untilItLands { runs in
            let base = records
            let source = RecordSourceProxy(base: base, names: names, payloadRoot: nil)
            defer { source.end() }
            // From here on only the check holds the version. A held version would be copied when it changes (benchmark
            // `notify.publish-us`).
            let generation = base.generation
            let (result, staged, reads) = try queue.updates.run(source, seeing: consume base, body)
            var publication = Publication(staged, generation: generation)
            publication.check = check(reads, after: runs)
            let summary = queue.publishUnlessOvertaken(publication, by: .newer, announce: announce)
            guard let summary else { return nil }
            return (result, summary)
        }
    }

    /// Publishes an answer together with the changes of an updater.
    ///
    /// The updater sees the store with the answer and without optimistic layers. Both land together; if the updater
    /// throws, neither lands. It runs again if the data that it read has changed before both land.
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

    /// Returns the check for an update that has run `runs` times; nil if it lands unchecked.
    private func check(_ check: UpdateCheck?, after runs: Int) -> UpdateCheck? {
        guard var check, runs < Self.maximumRuns else { return nil }
        if runs > Self.patience { check.leaveRest() }
        return check
    }

    /// Runs an update until a run returns a result; the last run always does.
    private func untilItLands<Result>(_ run: (_ runs: Int) throws -> Result?) throws -> Result {
        // The update with precedence may be waiting for this one.
        let isInside = LayerRun.isInside || queue.updates.calling != nil
        if !isInside { queue.updatePriority.letPass() }
        var hasTurn = false
        defer { if hasTurn { queue.updatePriority.give() } }
        var runs = 1
        while true {
            if runs > Self.patience, runs <= Self.patience + Self.runsInTurn, !hasTurn, !isInside {
                hasTurn = queue.updatePriority.take()
            } else if runs > Self.patience + Self.runsInTurn, hasTurn {
                // The update's body waits for others, or the changes come from others than updates.
                queue.updatePriority.give()
                hasTurn = false
            }
            if let result = try run(runs) { return result }
            runs += 1
        }
    }
}
