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

    /// By the number of the record: its position in `entries` plus one in the low half, its type in the high half; 0 where there is none. In pages, because an
    /// answer mostly touches few parts of a large store.
    private var pages: [[UInt64]] = []
    private static let pageBits = 10

    var isEmpty: Bool { entries.isEmpty && facts.isEmpty && !invalidatesStore && invalidated.isEmpty }

    /// The position of a record's entry.
    func position(of record: RecordID) -> Int? {
        let word = word(record)
        return word == 0 ? nil : Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &- 1
    }

    @inline(__always)
    private func word(_ record: RecordID) -> UInt64 {
        let page = Int(record.index) >> Self.pageBits
        let index = Int(record.index) & (1 << Self.pageBits - 1)
        guard page < pages.count, index < pages[page].count else { return 0 }
        return pages[page][index]
    }

    /// Says whether something was written to a record, for this type.
    @inline(__always)
    func contains(_ record: RecordID, _ type: TypeID) -> Bool {
        let word = word(record)
        return word != 0 && word >> 32 == UInt64(type.index)
    }

    /// The position of a record's entry, made if there is none, for a type; without one it is kept.
    @inline(__always)
    mutating func positionAdding(_ record: RecordID, _ type: TypeID? = nil) -> Int {
        let page = Int(record.index) >> Self.pageBits
        let index = Int(record.index) & (1 << Self.pageBits - 1)
        let typeBits = UInt64(type?.index ?? .max) << 32
        if page < pages.count, index < pages[page].count {
            let word = pages[page][index]
            if word != 0 {
                let position = Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &- 1
                if let type, word >> 32 != UInt64(type.index) {
                    entries[position].type = type
                    pages[page][index] = typeBits | word & 0xFFFF_FFFF
                }
                return position
            }
        } else {
            addPage(page)
        }
        entries.append(Entry(record: record, type: type, shape: .empty, values: []))
        pages[page][index] = typeBits | UInt64(truncatingIfNeeded: entries.count)
        return entries.count &- 1
    }

    private mutating func addPage(_ page: Int) {
        if page >= pages.count { pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count)) }
        pages[page] = Array(repeating: 0, count: 1 << Self.pageBits)
    }

    /// Nothing was written to the entry yet.
    @inline(__always)
    func isNew(_ position: Int) -> Bool { entries[position].shape === Shape.empty }

    /// Takes the values of a record that is new, without copying them.
    @inline(__always)
    mutating func fill(_ position: Int, _ shape: Shape, _ values: inout [Value]) {
        entries[position].shape = shape
        swap(&entries[position].values, &values)
    }

    /// Says whether an entry has no key that a shape does not have, so that values of the shape replace all of its own.
    @inline(__always)
    func hasOnly(_ position: Int, keysOf shape: Shape) -> Bool {
        if entries[position].shape === shape { return true }
        let keys = entries[position].shape.keys
        guard keys.count <= shape.keys.count else { return false }
        for key in keys where shape.position(of: key) == nil { return false }
        return true
    }

    /// Sets the fields of a shape.
    @inline(__always)
    mutating func overwrite(_ position: Int, _ shape: Shape, _ values: [Value], _ names: NameTable) {
        let keys = shape.keys
        for index in keys.indices {
            guard let place = entries[position].shape.position(of: keys[index]) else {
                entries[position].set(keys, values, names)
                return
            }
            entries[position].values[place] = values[index]
        }
    }

    /// Changes one entry in place.
    @inline(__always)
    mutating func modify<Result>(_ position: Int, _ body: (inout Entry) -> Result) -> Result {
        body(&entries[position])
    }

    /// Gives away the values of an entry.
    @inline(__always)
    mutating func takeValues(_ position: Int) -> [Value] {
        var values: [Value] = []
        swap(&entries[position].values, &values)
        return values
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
                    own.set(entry.shape.keys, entry.values, names)
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

    /// Sets fields; of two with the same key the last wins.
    mutating func set(_ keys: [StorageKeyID], _ newValues: [Value], _ names: NameTable) {
        var added: [StorageKeyID] = []
        for (index, key) in keys.enumerated() {
            if let position = shape.position(of: key) {
                values[position] = newValues[index]
            } else if let position = added.firstIndex(of: key) {
                values[shape.keys.count + position] = newValues[index]
            } else {
                added.append(key)
                values.append(newValues[index])
            }
        }
        if !added.isEmpty { shape = names.shape(shape.keys + added) }
    }
}
