// Layers run while no lock is held, between two turns.

extension PublishQueue {
    /// The greatest number of attempts to run layers. After that the layers keep their results until the next publish.
    private static let maximumAttempts = 64

    /// Lands a change of the base, of the layers, or of both, if layers depend on it.
    ///
    /// Layers run against one version and one state of the stack. If another publish changes data that they depend on,
    /// they run again, a bounded number of times. After that, and inside of an updater, they keep their results until
    /// the next publish. A change that needs no run of a layer lands at once.
    func landThroughLayers(_ publication: borrowing Publication, _ change: LayerChange, by author: Writer)
        -> PublishResult
    {
        let hold = NumberHold(names)
        var change = change
        // The replays may be the last holders of layers that other publishes have removed meanwhile.
        var replays: [LayerReplay] = []
        defer { withExtendedLifetime((hold, replays)) {} }
        for _ in 0..<(LayerRun.isInside ? 0 : Self.maximumAttempts) {
            let (replay, landing) = inTurn { turn -> (LayerReplay?, PublishResult?) in
                if let refusal = turn.refusal(of: publication) { return (nil, refusal) }
                let replay = turn.begin(publication, change, by: author, lowerDisk)
                return (replay, replay.run(.notYet) ? .published(turn.land(replay, by: author)) : nil)
            }
            if let replay { replays.append(replay) }
            if let landing { return landing }
            guard let replay else { continue }
            _ = replay.run(.now)
            if let landing = inTurn({ $0.commit(replay, by: author) }) { return landing }
            if case .put(let layer) = change, let run = replay.redone.first(where: { $0.id == layer.id }) {
                change = .put(run)
            }
            replays = [replay]
        }
        return inTurn { turn in
            if let refusal = turn.refusal(of: publication) { return refusal }
            let replay = turn.begin(publication, change, by: author, nil)
            replays.append(replay)
            _ = replay.run(.never)
            return .published(turn.land(replay, by: author))
        }
    }
}
