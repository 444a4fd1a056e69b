// Freshness has several owners, this one for the dates of fields; ReadingTheDesign.md names the others.

/// Stamps that tell which response last brought or confirmed each field of each record. They take 4 bytes for each
/// record, in pages that copy on write.
///
/// A stamp is the position of an entry in a table. The entry of a response stands for all fields of a record. If a
/// response brought only some fields of a record, the record's entry lists these fields and refers to the entry of the
/// other fields. Records that the same responses brought share their entries. Two kinds of records have a stamp for
/// each field: the root, whose fields come with every query, and records with many layers of entries.
///
/// Only responses write stamps: a field that an update writes keeps its stamp.
struct FetchStamps: Sendable {
    /// The position of an entry in the table.
    typealias Stamp = UInt32

    /// The stamp of fields that no response brought.
    static let none: Stamp = 0
    /// The stamp of fields that a missing-field handler found: they are as old as the data in which they were found.
    static let derived: Stamp = 1
    /// The stamp of records with a stamp for each field.
    static let separate = Stamp.max
    private static let pageSize = RecordPages.pageSize
    static let mostLayers = 6

    private(set) var pages: [[Stamp]] = []
    /// The records with a stamp for each field.
    var separated: [RecordID: FieldStamps] = [:]
    var table = FetchTable()

    /// The fetch and the fields that a stamp stands for.
    struct Entry: Sendable {
        let mark: FetchMark
        /// The fields that the response brought; nil for all fields.
        var keys: Shape?
        /// The entry that stands for all fields of the same response.
        var whole = FetchStamps.none
        /// The stamp of the other fields.
        var rest = FetchStamps.none
        /// The number of entries with `keys` in the chain that begins here.
        var layers = 0
    }

    // MARK: - Reading

    @inline(__always)
    func stamp(of record: RecordID) -> Stamp {
        let index = Int(record.index)
        let page = index / Self.pageSize
        guard page < pages.count, !pages[page].isEmpty else { return Self.none }
        return pages[page][index % Self.pageSize]
    }

    /// The current entries, for many lookups.
    var entries: [Entry] { table.entries }

    /// Returns true if a stamp stands for every field of its record.
    static func isWhole(_ stamp: Stamp, _ entries: [Entry]) -> Bool {
        stamp != separate && entries[Int(stamp)].keys == nil
    }

    /// Returns the stamp of one field.
    func stamp(of record: RecordID, _ key: StorageKeyID, _ entries: [Entry]) -> Stamp {
        field(key, of: record, stamp(of: record), entries)
    }

    private func field(_ key: StorageKeyID, of record: RecordID, _ stamp: Stamp, _ entries: [Entry]) -> Stamp {
        if stamp == Self.separate { return separated[record]?[key] ?? Self.none }
        var current = stamp
        while let keys = entries[Int(current)].keys {
            if keys.position(of: key) != nil { return entries[Int(current)].whole }
            current = entries[Int(current)].rest
        }
        return current
    }

    // MARK: - Writing

    /// Adds a response to the table and returns its stamp.
    mutating func begin(_ mark: FetchMark) -> Stamp {
        let count = table.count
        if count >= table.limit { compact() }
        return table.add(Entry(mark: mark))
    }

    /// The memory of the stamps and their entries in bytes.
    var memoryUse: Int {
        let ofPages = pages.reduce(0) {
            $0 + ($1.isEmpty ? 8 : $1.count * MemoryLayout<Stamp>.stride + Heap.arrayHeader)
        }
        let ofFields = separated.values.reduce(0) { $0 + $1.memoryUse }
        return ofPages + ofFields + table.capacity * MemoryLayout<Entry>.stride
    }

    mutating func set(_ record: RecordID, _ stamp: Stamp) {
        let page = Int(record.index) / Self.pageSize
        makeRoom(page)
        pages[page][Int(record.index) % Self.pageSize] = stamp
    }

    /// Stamps many records; neighbouring records are stamped page by page.
    mutating func set(_ records: [RecordID], _ stamp: Stamp) {
        var next = 0
        while next < records.count {
            let page = Int(records[next].index) / Self.pageSize
            makeRoom(page)
            pages[page].withUnsafeMutableBufferPointer { stamps in
                while next < records.count, Int(records[next].index) / Self.pageSize == page {
                    stamps[Int(records[next].index) % Self.pageSize] = stamp
                    next &+= 1
                }
            }
        }
    }

    private mutating func makeRoom(_ page: Int) {
        while pages.count <= page { pages.append([]) }
        if pages[page].isEmpty { pages[page] = Array(repeating: Self.none, count: Self.pageSize) }
    }

    /// Removes the stamp of a record.
    mutating func clear(_ record: RecordID) {
        let stamp = stamp(of: record)
        if stamp == Self.separate { separated[record] = nil }
        if stamp != Self.none { set(record, Self.none) }
    }

    /// Frees the memory of a page without records.
    mutating func vacate(page: Int) {
        if page < pages.count { pages[page] = [] }
    }

    /// Stamps some fields of a record whose fields are `all`.
    mutating func set(
        _ record: RecordID, _ written: Shape, of all: Shape, _ stamp: Stamp, _ known: inout [Transition: Stamp]
    ) {
        let old = self.stamp(of: record)
        guard old != Self.separate else {
            for key in written.keys { separated[record]?[key] = stamp }
            return
        }
        let transition = Transition(old: old, written: ObjectIdentifier(written), all: ObjectIdentifier(all))
        if let next = known[transition] { return set(record, next) }
        if written.count >= all.count, all.keys.allSatisfy({ written.position(of: $0) != nil }) {
            known[transition] = stamp
            return set(record, stamp)
        }
        let entries = entries
        // Layers whose fields are all written now are dropped.
        var layers: [Entry] = []
        var rest = old
        while let keys = entries[Int(rest)].keys {
            if !keys.keys.allSatisfy({ written.position(of: $0) != nil }) { layers.append(entries[Int(rest)]) }
            rest = entries[Int(rest)].rest
        }
        guard layers.count < Self.mostLayers else { return separate(record, written, of: all, stamp, entries) }
        for layer in layers.reversed() {
            rest = table.add(
                Entry(mark: layer.mark, keys: layer.keys, whole: layer.whole, rest: rest, layers: layer.layers))
        }
        let next = table.add(
            Entry(
                mark: entries[Int(stamp)].mark, keys: written, whole: stamp, rest: rest, layers: layers.count + 1))
        known[transition] = next
        set(record, next)
    }

    /// The old stamp of a record, the written fields and all of its fields. Records with the same transition get the
    /// same new stamp.
    struct Transition: Hashable {
        let old: Stamp
        let written: ObjectIdentifier
        let all: ObjectIdentifier
    }

    private mutating func separate(
        _ record: RecordID, _ written: Shape, of all: Shape, _ stamp: Stamp, _ entries: [Entry]
    ) {
        let old = self.stamp(of: record)
        var fields = FieldStamps()
        for key in all.keys { fields[key] = field(key, of: record, old, entries) }
        for key in written.keys { fields[key] = stamp }
        separated[record] = fields
        set(record, Self.separate)
    }

    /// Drops the entries that no record uses any more. Takes time linear in the records. The table has at least doubled
    /// since the entries were last dropped.
    private mutating func compact() {
        let old = entries
        var numbers = [Stamp](repeating: .max, count: old.count)
        func mark(_ stamp: Stamp) {
            var current = stamp
            while numbers[Int(current)] == .max {
                numbers[Int(current)] = 0
                guard old[Int(current)].keys != nil else { return }
                numbers[Int(old[Int(current)].whole)] = 0
                current = old[Int(current)].rest
            }
        }
        separated = separated.filter { stamp(of: $0.key) == Self.separate }
        for page in pages { for stamp in page where stamp != Self.separate { mark(stamp) } }
        for fields in separated.values { fields.forEachField { mark($1) } }
        mark(Self.none)
        mark(Self.derived)
        var kept: [Entry] = []
        // An entry refers only to entries before it.
        for (index, number) in numbers.enumerated() where number == 0 {
            var entry = old[index]
            if entry.keys != nil {
                entry.whole = numbers[Int(entry.whole)]
                entry.rest = numbers[Int(entry.rest)]
            }
            numbers[index] = Stamp(truncatingIfNeeded: kept.count)
            kept.append(entry)
        }
        for page in pages.indices {
            for index in pages[page].indices where pages[page][index] != Self.separate {
                pages[page][index] = numbers[Int(pages[page][index])]
            }
        }
        separated = separated.mapValues { $0.mapped { numbers[Int($0)] } }
        table = FetchTable(kept)
    }
}
