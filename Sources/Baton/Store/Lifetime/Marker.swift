/// Finds the records that can be reached through the plans of retained operations, and through every link of a change
/// that was published meanwhile.
///
/// The marker can stop after any number of steps and continue over a later version. Publishes in between report the
/// changed fields through the inbox.
struct Marker: Sendable {
    private var marks = Marks()
    /// The walks that have not begun yet.
    private var waiting: [MarkWalk] = []
    /// The walk along an operation that is under way.
    private var walk: MarkWalk?
    /// The walk that follows every link.
    private var links = MarkWalk(plan: nil)

    var isDone: Bool { walk == nil && waiting.isEmpty && links.isDone }

    /// Returns true if a record was reached.
    func hasReached(_ record: RecordID) -> Bool { marks.records.contains(record) }

    /// Returns the reached fields of a record that will lose its other fields.
    func keys(of record: RecordID) -> Set<StorageKeyID> {
        record == .root ? marks.rootKeys : marks.wideKeys[record] ?? []
    }

    /// Watches records: their reached fields are noted from now on. Must be called before anything is marked.
    mutating func watch(_ records: some Sequence<RecordID>) {
        for record in records where record != .root { marks.wideKeys[record] = [] }
    }

    /// The records that will lose their unreached fields, the query root first.
    var watched: [RecordID] { [.root] + marks.wideKeys.keys }

    // MARK: - Roots

    /// Adds an operation's selections.
    mutating func addOperation(_ plan: BoundPlan, at root: RecordID) {
        marks.records.insert(root)
        var walk = MarkWalk(plan: plan)
        walk.addRecord(root)
        waiting.append(walk)
    }

    /// Adds a record and all records that its links lead to.
    mutating func addRecord(_ record: RecordID) {
        marks.records.insert(record)
        links.addRecord(record)
    }

    /// Adds all records that the links of a field lead to, the first `from` items of a list apart.
    mutating func addField(_ key: StorageKeyID, of record: RecordID, from: Int = 0) {
        marks.records.insert(record)
        marks.noteField(key, of: record)
        links.addField(key, of: record, from: from)
    }

    /// Adds links that layers hide from readers. Walks follow them like other links.
    mutating func addHidden(_ links: [RecordID: [(key: StorageKeyID, value: Value)]]) { marks.hidden = links }

    /// Adds a record without its links.
    mutating func addAlone(_ record: RecordID) { marks.records.insert(record) }

    // MARK: - Walking

    /// Continues for about `work` records and list items.
    mutating func run(over records: Records, work: Int) {
        var left = work
        while left > 0, !links.isDone { left -= links.step(&marks, records) }
        while left > 0 {
            guard var current = walk.take() ?? waiting.popLast() else { return }
            while left > 0, !current.isDone { left -= current.step(&marks, records) }
            if !current.isDone { walk = current }
        }
    }
}
