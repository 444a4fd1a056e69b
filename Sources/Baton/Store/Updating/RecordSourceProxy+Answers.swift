// What an update knows of the answer that it belongs to.

extension RecordSourceProxy {
    private func withLinks<Result>(_ body: (inout AnswerLinks) -> Result) -> Result {
        var links = answerLinks ?? AnswerLinks(records?.answer)
        // The links are moved, so that nothing is copied when they change.
        answerLinks = nil
        defer { answerLinks = links }
        return body(&links)
    }

    /// Returns true if a record was in the store before the answer. Without an answer, returns true if it is there.
    func wasThere(_ record: RecordID) -> Bool {
        _ = state(of: record)
        guard let records, records.stateBeforeAnswer(of: record) == .existing else { return false }
        let parts = earlierParts(linkingTo: record)
        return parts.isEmpty || parts.count < withLinks { $0.earlier(to: record, in: records.base).count }
    }

    /// Returns the fields by which earlier parts of the answer link to a record to which this part does not link.
    /// Visits the links of the whole store for such a record.
    private func earlierParts(linkingTo record: RecordID) -> [Records.Reference] {
        guard let records, records.answer != nil, let payloadRoot, !isOfAnswer(record), !names.isBelowCall(record)
        else { return [] }
        noteWholeStore()
        return withLinks { $0.earlier(to: record, in: records.base) }.filter {
            names.isBelow(payloadRoot, $0.record)
        }
    }

    /// Returns true if the answer links to a record.
    func isOfAnswer(_ record: RecordID) -> Bool { withLinks { $0.keys[record] != nil } }

    /// Returns the names of the fields by which the answer links to a record.
    func namesOfAnswer(linkingTo record: RecordID) -> Set<String> {
        let keys = withLinks { $0.keys[record] } ?? Set(earlierParts(linkingTo: record).map(\.key))
        return Set(keys.map { String(StorageKey(names.name(of: $0)).fieldName) })
    }

    /// Returns true if the store has a record only because earlier answers to mutations or subscriptions have linked to
    /// it, all by the fields by which this answer links to it. Visits the links of the whole store, once for all
    /// records of the answer.
    func isOnlyOfEarlierAnswers(_ record: RecordID) -> Bool {
        guard let records else { return false }
        noteWholeStore()
        let earlier = withLinks { $0.earlier(to: record, in: records.base) }
        let fields = namesOfAnswer(linkingTo: record)
        return !earlier.isEmpty
            && earlier.allSatisfy { place in
                names.isBelowCall(place.record)
                    && fields.contains(String(StorageKey(names.name(of: place.key)).fieldName))
            }
    }

    // MARK: - Deletions by directives

    /// Deletes records for a directive. Those that the answer has are deleted after all directives, because others may
    /// stand in the same object.
    func deleteMarked(_ ids: [DataID]) throws(UpdateError) {
        var others: [DataID] = []
        for id in ids {
            if let record = known(id), isOfAnswer(record) {
                marked.append(id)
            } else {
                others.append(id)
            }
        }
        try delete(others, removingReferences: true)
    }

    /// Deletes what directives have marked.
    func endDirectives() throws(UpdateError) {
        if marked.isEmpty { return }
        keepForReading()
        try delete(marked, removingReferences: true)
        marked = []
    }

    /// Deletes the records that only name what was deleted.
    func deleteNamesakes() throws(UpdateError) {
        for id in namesakes { try remove(id) }
        namesakes = []
    }
}
