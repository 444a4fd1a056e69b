import Baton
import RandomCases

/// The writes of an update or a response to one record.
struct ModelWritten {
    var keys: Set<String> = []
    var isDeleted = false
    /// Whether the record's earlier contents were removed first.
    var isReplaced = false
}

/// The clock of the last write of each field, for writes that are newer than queries in flight.
struct ModelNotes {
    private struct Note {
        var writes: [String: Int] = [:]
        /// The clock of the record's deletion; 0 if the record has come back since then.
        var deleted = 0
    }

    private var records: [String: Note] = [:]
    /// The clock when each query in flight began.
    var inFlight: [Int: Int] = [:]

    mutating func note(_ written: [String: ModelWritten], at clock: Int) {
        for (id, one) in written {
            var note = records[id] ?? Note()
            if one.isDeleted {
                note = Note(deleted: clock)
            } else {
                if one.isReplaced || note.deleted > 0 { note = Note() }
                for key in one.keys { note.writes[key] = clock }
            }
            records[id] = note
        }
    }

    /// Removes the fields of a late response that are older than the state.
    ///
    /// Collected data are not newer than the response, but a deletion is.
    func leaveNewer(_ answer: ModelAnswer, than began: Int, in state: ModelState) -> ModelAnswer {
        var answer = answer
        answer.entries = answer.entries.compactMap { (entry) -> ModelAnswer.Entry? in
            guard let note = records[entry.id] else { return entry }
            if note.deleted > began {
                if state.presence(entry.id) == .unknown { answer.deleted.insert(entry.id) }
                return nil
            }
            let known = state.records[entry.id]?.fields ?? [:]
            let fields = entry.fields.filter { note.writes[$0.key] ?? 0 <= began || known[$0.key] == nil }
            return .init(id: entry.id, type: entry.type, fields: fields)
        }
        return answer
    }
}

extension ModelAnswer {
    /// The writes of the response, by record.
    var written: [String: ModelWritten] {
        var written: [String: ModelWritten] = [:]
        for entry in entries { written[entry.id, default: .init()].keys.formUnion(entry.fields.map(\.key)) }
        return written
    }
}

extension StoreDriver {
    /// Begins a query. Later writes are newer than its response.
    func beginQuery() {
        guard universe.isStable, notes.inFlight.count < 3 else { return }
        let request = Int(generator.next() % 1_000_000) + 1
        store.queryBegins(request)
        notes.inFlight[request] = model.clock
    }

    func endQuery() {
        guard let request = notes.inFlight.keys.sorted().first else { return }
        store.queryEnds(request)
        notes.inFlight[request] = nil
    }

    /// Publishes a response, with some chance as the response of a query in flight.
    func publish(_ held: Held) throws {
        guard held.generation == generation else {
            let summary = store.publish(held.staged, for: held.bound)
            return try expect(!summary.isLanded, "a response landed that was read before the store was emptied")
        }
        let isQuery = held.bound.artifact.kind == .query
        let requests = notes.inFlight.keys.sorted()
        if isQuery, !requests.isEmpty, generator.chance(70) {
            let request = generator.pick(requests)
            tell?("as the response of a query that began at \(notes.inFlight[request] ?? 0)")
            let answer = notes.leaveNewer(held.answer, than: notes.inFlight[request] ?? 0, in: model)
            publish { $0.write(answer) }
            store.publish(held.staged, for: held.bound, request: request)
            return
        }
        publish { $0.write(held.answer) }
        if !isQuery { notes.note(held.answer.written, at: model.clock) }
        try expectSummary(store.publish(held.staged, for: held.bound), privateTo: held.staged.root)
    }
}
