/// One version of a store's records: a value, in pages that copy on write.
///
/// Taking a version is one retain; a change in a version that nobody else holds is made in place.
struct Records: Sendable {
    /// One record of a version.
    struct Slot: Sendable {
        var shape: Shape
        var values: [Value]
        var type: TypeID
        var state: State
        /// The version in which a field, the type or the existence changed last.
        var changed: Epoch

        static let unknown = Slot(
            shape: .empty, values: [], type: TypeID(index: .max), state: .unknown, changed: 0)
    }

    enum State: UInt8, Sendable {
        /// Nothing was ever written.
        case unknown
        case existing
        /// Known not to exist: links to it read as null.
        case deleted
    }

    /// Whether objects of a type are of an abstract type, as answers have shown.
    struct TypeFact: Sendable, Hashable {
        let type: TypeID
        let abstractType: TypeID
    }

    static let pageSize = 128

    private var pages: [[Slot]] = []
    private(set) var facts: [TypeFact: Bool] = [:]
    /// The version in which one of the facts changed last.
    var factsChanged: Epoch = 0
    var epoch: Epoch = 0
    /// The version in which everything was invalidated last.
    var invalidated: Epoch = 0
    /// The version in which any record was invalidated last.
    var recordInvalidated: Epoch = 0
    /// The version in which a record was invalidated last, of those invalidated since everything was.
    var invalidatedRecords: [RecordID: Epoch] = [:]

    /// Room for as many records as there are numbers.
    var capacity: Int { pages.count &* Self.pageSize }

    /// The slot of a record; an unknown one for a record that was never written.
    @inline(__always)
    subscript(record: RecordID) -> Slot {
        _read {
            let index = Int(record.index)
            let page = index >> 7
            if page < pages.count {
                yield pages[page][index & 127]
            } else {
                yield.unknown
            }
        }
        _modify {
            let index = Int(record.index)
            let page = index >> 7
            while pages.count <= page { pages.append(Array(repeating: .unknown, count: Self.pageSize)) }
            yield &pages[page][index & 127]
        }
    }

    /// The place of a slot in the pages, for readers that take a field at a time and count no references.
    struct Location: Sendable {
        var page: Int
        var index: Int
    }

    @inline(__always)
    func location(of record: RecordID) -> Location? {
        let page = Int(record.index) >> 7
        guard page < pages.count else { return nil }
        return Location(page: page, index: Int(record.index) & 127)
    }

    @inline(__always)
    func state(at location: Location) -> State { pages[location.page][location.index].state }
    @inline(__always)
    func type(at location: Location) -> TypeID { pages[location.page][location.index].type }
    @inline(__always)
    func shapeID(at location: Location) -> ObjectIdentifier {
        ObjectIdentifier(pages[location.page][location.index].shape)
    }
    /// Loads the slots of records, and where their values are, so that they are in the cache when they are read soon: the loads of several records overlap, those
    /// of one after the other do not. A third of the time to read lists of links (benchmark `read.vs-foundation`).
    @inline(__always)
    func warm(_ records: ArraySlice<RecordID>) -> Int {
        var sum = 0
        for record in records {
            if let location = location(of: record) { sum &+= pages[location.page][location.index].values.count }
        }
        return sum
    }

    /// The value at a position of the record's shape.
    @inline(__always)
    subscript(position: Int, location: Location) -> Value {
        _read { yield pages[location.page][location.index].values[position] }
    }

    /// Every record that exists or is known to be deleted, by number.
    var known: [RecordID] {
        (0..<capacity).map { RecordID(UInt32(truncatingIfNeeded: $0)) }.filter { self[$0].state != .unknown }
    }

    /// The value under a key; nil if it is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        let slot = self[record]
        return slot.shape.position(of: key).map { slot.values[$0] }
    }

    func fact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        facts[TypeFact(type: type, abstractType: abstractType)]
    }

    mutating func learn(_ fact: TypeFact, _ holds: Bool) -> Bool {
        guard facts[fact] != holds else { return false }
        facts[fact] = holds
        return true
    }
}
