/// What a file has of a record, on its way under what the store has.
struct UnderlaidRecord: Sendable {
    struct Source: Sendable, Hashable {
        /// The fetch that brought a field; nil if a missing-field handler found it.
        let mark: FetchMark?
    }

    let record: RecordID
    /// The version when the reading began. If the record has changed since, it may have left the memory meanwhile with
    /// fields that are newer than those that were read.
    let began: Epoch
    /// How often something was cleared before the reading began.
    let clears: Int
    /// The type; nil if the file has nothing of the record, or has it as deleted.
    var type: TypeID?
    var isDeleted = false
    /// The keys of the fields: first of those that are laid under, then of those that stay in the file.
    var keys: [StorageKeyID] = []
    /// The number of fields that are laid under. No document in use selects the others, so only updates see them.
    var known = 0
    /// The number of field types that were known when the fields were judged.
    var types = 0
    var values: [Value] = []
    /// The source of each field; nil if no response brought it.
    var sources: [Source?] = []
    /// The errors of fields; nearly always empty.
    var errors: [StorageKeyID: [GraphQLError]] = [:]
    /// The version in which the record was last invalidated; 0 for never.
    var invalidated: Epoch = 0

    init(_ record: RecordID, began: Epoch, clears: Int) {
        self.record = record
        self.began = began
        self.clears = clears
    }
}

extension Records {
    /// Notes that the underlaid records are resident now, and the sources of their fields. Must be called before the
    /// merge.
    mutating func noteUnderlaid(of staged: borrowing StagedRecords, _ names: NameTable) {
        var stampsByMark: [FetchMark: FetchStamps.Stamp] = [:]
        var known: [FetchStamps.Transition: FetchStamps.Stamp] = [:]
        // The transitions tell shapes apart by their identities, so the shapes must live as long.
        var shapes: [Shape] = []
        for item in staged.underlaid {
            if item.known < item.keys.count {
                residence?.insertPart(of: item.record, knowing: item.types)
            } else {
                residence?.insert(item.record)
            }
            if item.invalidated > 0 { invalidations.restore(item.record, item.invalidated) }
            guard let position = staged.position(of: item.record), !staged.entries[position].isDeleted else { continue }
            let lacking = staged.shape(position)
            let old = base(of: item.record)
            var all = old.shape.keys
            var groups: [UnderlaidRecord.Source?: [StorageKeyID]] = [:]
            for (place, key) in item.keys.prefix(item.known).enumerated() where lacking.position(of: key) != nil {
                groups[item.sources[place], default: []].append(key)
            }
            let isNew = old.state != .existing
            // The order of the groups decides nothing but the order of the entries.
            for (source, keys) in groups {
                let stamp = source.map { source in
                    guard let mark = source.mark else { return FetchStamps.derived }
                    if let made = stampsByMark[mark] { return made }
                    let made = stamps.begin(mark)
                    stampsByMark[mark] = made
                    return made
                }
                if isNew, groups.count == 1 {
                    stamps.set(item.record, stamp ?? FetchStamps.none)
                } else {
                    all += keys
                    let written = names.shape(keys)
                    let whole = names.shape(all)
                    shapes += [written, whole]
                    stamps.set(item.record, written, of: whole, stamp ?? FetchStamps.none, &known)
                }
            }
        }
        withExtendedLifetime(shapes) {}
    }
}
