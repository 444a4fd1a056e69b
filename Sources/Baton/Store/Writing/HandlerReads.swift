/// What the handlers of the application have read in their newest runs. A handler runs again when a later part of its
/// response writes such data.
struct HandlerReads: Sendable {
    /// The reads of each handler, by the number of its work.
    private var reads: [Int: WorkReads] = [:]
    /// The handlers that have read data of a record.
    private var readers: [RecordID: Set<Int>] = [:]
    /// The handlers whose reads cannot be listed by records.
    private var readersOfAll: Set<Int> = []
    /// The handlers that ran for the payload before.
    private var ran: [Int] = []

    /// Notes that a handler runs for the current payload.
    mutating func noteRun(of work: Int) { ran.append(work) }

    /// Returns the handlers that ran for the payload before, and forgets them.
    mutating func takeRun() -> [Int] {
        defer { ran = [] }
        return ran
    }

    /// Notes what a handler has read in its newest run, in place of what it read before.
    mutating func set(_ new: WorkReads, of work: Int, _ names: NameTable) {
        var new = new
        new.find(names)
        for record in reads[work]?.all ?? [] { readers[record]?.remove(work) }
        for record in new.all { readers[record, default: []].insert(work) }
        if new.isEverything { readersOfAll.insert(work) }
        reads[work] = new
    }

    /// Returns the handlers that have read data which a payload writes.
    func readers(of staged: StagedRecords, over base: Records) -> Set<Int> {
        if staged.entries.isEmpty { return [] }
        var found = readersOfAll
        if readers.isEmpty { return found }
        for position in staged.entries.indices {
            for number in readers[staged.entries[position].record] ?? [] where !found.contains(number) {
                if reads[number]?.concern(position, of: staged, over: base) == true { found.insert(number) }
            }
        }
        return found
    }
}

extension WorkReads {
    /// Adds the records of the absent identities, which had no record before. A record that gets one of the identities
    /// is then found.
    fileprivate mutating func find(_ names: NameTable) {
        for id in absent {
            // An identity of this form may become the identity of a record that has a place and no text of its own.
            if let record = names.record(id, adding: !id.rawValue.hasPrefix("client:")) {
                records.insert(record)
            } else {
                isEverything = true
            }
        }
    }

    /// The records of which data was read.
    fileprivate var all: Set<RecordID> { records.union(fields.keys) }

    /// Returns true if an entry of staged records writes data that was read.
    fileprivate func concern(_ position: Int, of staged: StagedRecords, over base: Records) -> Bool {
        let record = staged.entries[position].record
        let written = staged.shape(position)
        if let read = fields[record], written.keys.contains(where: read.contains) { return true }
        guard records.contains(record) else { return false }
        let old = base.base(of: record)
        return old.state != .existing || staged.entries[position].type.map { $0 != old.type } ?? false
            || written.keys.contains { old.shape.position(of: $0) == nil }
    }
}
