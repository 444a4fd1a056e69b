/// What an answer or an update is about to write, beside the store.
struct StagedRecords: Sendable {
    /// What happens to one record.
    struct Entry: Sendable {
        let record: RecordID
        /// Nil keeps the type.
        var type: TypeID?
        var shape: Shape
        var values: [Value]
        /// What was there before goes away first.
        var isReplaced = false
        var isDeleted = false
    }

    private(set) var entries: [Entry] = []
    var facts: [Records.TypeFact: Bool] = [:]
    var invalidatesStore = false
    var invalidated: [RecordID] = []

    /// Positions in `entries` plus one, 0 where free, by the number of the record.
    private var buckets: [UInt32] = Array(repeating: 0, count: 16)

    var isEmpty: Bool { entries.isEmpty && facts.isEmpty && !invalidatesStore && invalidated.isEmpty }

    @inline(__always)
    private func bucket(of record: RecordID) -> Int {
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: (UInt64(record.index) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while true {
            let position = buckets[bucket]
            if position == 0 || entries[Int(position &- 1)].record == record { return bucket }
            bucket = (bucket &+ 1) & mask
        }
    }

    /// The position of a record's entry.
    @inline(__always)
    func position(of record: RecordID) -> Int? {
        let position = buckets[bucket(of: record)]
        return position == 0 ? nil : Int(position) &- 1
    }

    /// The position of a record's entry, made if there is none.
    mutating func positionAdding(_ record: RecordID) -> Int {
        let bucket = bucket(of: record)
        if buckets[bucket] != 0 { return Int(buckets[bucket]) &- 1 }
        entries.append(Entry(record: record, shape: .empty, values: []))
        buckets[bucket] = UInt32(truncatingIfNeeded: entries.count)
        if entries.count &* 2 > buckets.count { grow() }
        return entries.count &- 1
    }

    private mutating func grow() {
        buckets = Array(repeating: 0, count: buckets.count &* 4)
        for index in entries.indices {
            buckets[bucket(of: entries[index].record)] = UInt32(truncatingIfNeeded: index) &+ 1
        }
    }

    /// Nothing was written to the entry yet.
    @inline(__always)
    func isNew(_ position: Int) -> Bool { entries[position].type == nil && entries[position].values.isEmpty }

    /// Takes the values of a record that is new, without copying them.
    @inline(__always)
    mutating func fill(_ position: Int, _ type: TypeID, _ shape: Shape, _ values: inout [Value]) {
        entries[position].type = type
        entries[position].shape = shape
        swap(&entries[position].values, &values)
    }

    /// Changes one entry in place.
    @inline(__always)
    mutating func modify<Result>(_ position: Int, _ body: (inout Entry) -> Result) -> Result {
        body(&entries[position])
    }

    /// Takes over the content of a later piece of work, whose values win.
    mutating func append(_ later: StagedRecords, _ names: NameTable) {
        for entry in later.entries {
            let position = positionAdding(entry.record)
            modify(position) { own in
                if entry.isReplaced || entry.isDeleted {
                    own = entry
                } else {
                    own.isDeleted = false
                    own.type = entry.type ?? own.type
                    for (key, value) in zip(entry.shape.keys, entry.values) { own.set(key, value, names) }
                }
            }
        }
        facts.merge(later.facts) { $1 }
        invalidatesStore = invalidatesStore || later.invalidatesStore
        invalidated += later.invalidated
    }
}

extension StagedRecords.Entry {
    /// Sets one field.
    mutating func set(_ key: StorageKeyID, _ value: Value, _ names: NameTable) {
        if let position = shape.position(of: key) {
            values[position] = value
        } else {
            shape = names.shape(shape.keys + [key])
            values.append(value)
        }
    }
}
