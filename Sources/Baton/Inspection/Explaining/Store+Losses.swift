extension Store {
    /// Returns the reason why nothing holds a collected record any more.
    func loss(_ origin: CollectionHistory.Origin, _ journal: borrowing PublishHistory) -> Explanation.Loss {
        let entry = journal.entry(at: origin.written)
        let lastWrite = Explanation.Write(origin.written, entry)
        if case .response(let artifact, _, let key?)? = entry?.source {
            if operations.isRetained(key) {
                return .init(
                    lastWrite: lastWrite, reason: .noLongerReached, operationName: artifact.name,
                    variables: key.variables, isWriter: true, releasedAt: nil, endedAt: nil)
            }
            if let note = journal.collections.release(of: key) {
                return .init(lastWrite: lastWrite, note, isWriter: true)
            }
        }
        if let note = journal.collections.lastRelease { return .init(lastWrite: lastWrite, note, isWriter: false) }
        return .init(
            lastWrite: lastWrite, reason: .neverHeld, operationName: nil, variables: nil, isWriter: false,
            releasedAt: nil, endedAt: nil)
    }
}

extension Explanation.Loss {
    fileprivate init(lastWrite: Explanation.Write, _ note: ReleaseNote, isWriter: Bool) {
        let reason: Reason =
            switch note.reason {
            case .released: .released
            case .bufferWasFull: .bufferWasFull
            case .expired: .expired
            case .memoryBudget: .memoryBudget
            }
        self.init(
            lastWrite: lastWrite, reason: reason, operationName: note.artifact.name, variables: note.key.variables,
            isWriter: isWriter, releasedAt: note.released, endedAt: note.ended)
    }
}
