// What those hear who watch the frames of an environment.

/// Where a frame comes from, for those who watch.
struct FrameOrigin {
    var label: String?
    var previous: Int?
    var hasOtherInput = false
}

extension DrawnFrame {
    init(_ number: Int, _ origin: FrameOrigin, _ tracker: Tracker) {
        self.init(
            number: number, label: origin.label, previous: origin.previous.flatMap { $0 == 0 ? nil : $0 },
            hasOtherInput: origin.hasOtherInput, reads: tracker.reads.map(\.forWatchers),
            hasChanged: { [weak tracker] in tracker?.hasChanged })
    }
}

extension TrackedRead {
    /// The read as a watcher is told of it. Reads the store.
    var forWatchers: DrawnFrame.Read {
        let reading = source.reading()
        let state =
            switch reading.content {
            case .loading: "loading"
            case .failure(let error): error.description
            case .data(nil): "nothing"
            case .data, .rows: "data"
            }
        return DrawnFrame.Read(
            handle: ObjectIdentifier(observers), component: component, subject: source.subject, state: state,
            revision: reading.revision, fields: reading.content.fields)
    }
}

extension Reading.Content {
    /// The fields of each record that a result shows. Takes time linear in the result.
    fileprivate var fields: [DataID: Set<StorageKey>] {
        let rows: [GeneratedCode.Row] =
            switch self {
            case .loading, .failure: []
            case .data(let row): row.map { [$0] } ?? []
            case .rows(let rows): rows.compactMap { $0 }
            }
        var fields: [DataID: Set<StorageKey>] = [:]
        for row in rows {
            let plan = row.shelf.plan
            let hold = NumberHold(plan.names)
            defer { withExtendedLifetime(hold) {} }
            row.shelf.forEachPart { shelf in
                shelf.forEachPair { pair in
                    guard pair.record != .none else { return }
                    let keys = shelf.plan.nodes[Int(pair.node)].keys.map { StorageKey(plan.names.name(of: $0)) }
                    fields[plan.names.dataID(of: pair.record), default: []].formUnion(keys)
                }
            }
        }
        return fields
    }
}
