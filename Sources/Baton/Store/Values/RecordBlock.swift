/// A block of rows: the values of many records of one shape, side by side.
///
/// A block has memory of its own instead of an array for each record. A record then needs no allocation, and a reader
/// gets from a number to a value with two loads. Records that are neighbours in a response are neighbours in a block.
///
/// A row never changes while anything but one version holds its block. The version that wants to change a row of a
/// shared block moves the record to a row of another block; the old row keeps its values for the other holders. The
/// `BlockDirectory` of a version says which rows the version's records have.
///
/// The class is Sendable because all changes follow this rule (`isKnownUniquelyReferenced`). The methods check rows and
/// positions; `values` is for `BorrowedRow`, which checks them itself.
final class RecordBlock: @unchecked Sendable {
    /// The type of the records; `TypeID.none` as long as it is unknown.
    let type: TypeID
    let shape: Shape
    let width: Int
    /// The number of rows, cleared ones included.
    private(set) var count = 0
    /// The rows that were cleared and not used since. No record of any version is in them.
    private(set) var blank = RowSet()
    private var capacity = 0
    private(set) var values: UnsafeMutablePointer<Value>
    /// For each position, the kinds of values that rows have had there. The nulls of a new row do not count.
    let kinds: UnsafeMutablePointer<Value.Kinds>
    private let limit: Int
    /// The values of the only row, if other blocks share them.
    private var growing: GrowingRow?

    /// The greatest number of rows in a block.
    static let rows = 128

    init(_ type: TypeID, _ shape: Shape, capacity: Int = 0) {
        self.type = type
        self.shape = shape
        width = shape.count
        limit = Self.limit(width)
        self.capacity = min(capacity, limit)
        values = .allocate(capacity: max(self.capacity * width, 1))
        kinds = .allocate(capacity: max(width, 1))
        kinds.initialize(repeating: [], count: max(width, 1))
    }

    /// Makes a block for values whose type and keys are not known yet.
    init(width: Int, capacity: Int) {
        type = .none
        shape = .empty
        self.width = width
        limit = Self.limit(width)
        self.capacity = min(capacity, limit)
        values = .allocate(capacity: max(self.capacity * width, 1))
        kinds = .allocate(capacity: max(width, 1))
        kinds.initialize(repeating: [], count: max(width, 1))
    }

    /// Takes the rows of `other`, whose type and keys are known now. `other` then has no rows.
    init(_ type: TypeID, _ shape: Shape, taking other: RecordBlock) {
        precondition(shape.count == other.width)
        self.type = type
        self.shape = shape
        width = other.width
        limit = other.limit
        (count, blank, capacity, values) = (other.count, other.blank, other.capacity, other.values)
        kinds = .allocate(capacity: max(width, 1))
        kinds.initialize(from: other.kinds, count: max(width, 1))
        (other.count, other.blank, other.capacity) = (0, RowSet(), 0)
        other.values = .allocate(capacity: 1)
    }

    /// Makes a block of one row whose shape continues the shape of another row, with nulls for the further keys.
    ///
    /// The two blocks share the values if that is possible. Otherwise the values are copied, and room is left for more.
    init(_ shape: Shape, extending other: RecordBlock, _ row: Int, owner: ObjectIdentifier) {
        precondition(row < other.count && shape.count >= Shape.growingFrom && shape.count >= other.width)
        type = other.type
        self.shape = shape
        width = shape.count
        limit = 1
        (count, capacity) = (1, 1)
        if let shared = other.growing, shared.claim(from: other.width, to: width, owner: owner) {
            growing = shared
            (values, kinds) = (shared.values, shared.kinds)
        } else {
            let room = GrowingRow(capacity: width + width / 2, owner: owner)
            growing = room
            (values, kinds) = (room.values, room.kinds)
            _ = room.claim(from: 0, to: width, owner: owner)
            values.initialize(from: other.values + row * other.width, count: other.width)
            kinds.initialize(from: other.kinds, count: other.width)
        }
        (values + other.width).initialize(repeating: .null, count: width - other.width)
        (kinds + other.width).initialize(repeating: [], count: width - other.width)
    }

    /// True if no other block shares the values. The values may then change if nothing else holds the block.
    @inline(__always)
    func isOnlyOwner() -> Bool { growing == nil || isKnownUniquelyReferenced(&growing) }

    /// Returns the greatest number of rows. Records with very many fields rarely share their shape, so their blocks
    /// have one row.
    private static func limit(_ width: Int) -> Int { width > 64 ? 1 : rows }

    deinit {
        if growing != nil { return }
        values.deinitialize(count: count * width)
        values.deallocate()
        kinds.deallocate()
    }

    /// True if no row can be added at the end. A cleared row may still be taken.
    var isFull: Bool { count == limit }
    /// Returns true if there is room for a record besides `used` others.
    func hasRoom(besides used: Int) -> Bool { used < limit }
    /// True if the block can have only one row.
    var isForOneRecord: Bool { limit == 1 }

    /// Copies the whole block. Only staged records are copied whole: an updater may write to every record of a payload
    /// that it shares with its caller, so each block is copied at most once per run. A version moves single rows
    /// instead.
    func copyOfStaged() -> RecordBlock {
        let copy = RecordBlock(type, shape, capacity: max(count, capacity))
        copy.values.initialize(from: values, count: count * width)
        copy.kinds.update(from: kinds, count: width)
        copy.count = count
        copy.blank = blank
        return copy
    }

    private func reserveRow() {
        guard count == capacity else { return }
        capacity = min(max(capacity * 2, 2), limit)
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: max(capacity * width, 1))
        larger.moveInitialize(from: values, count: count * width)
        values.deallocate()
        values = larger
    }

    // MARK: - Rows

    /// Takes a cleared row, whose values are null.
    func takeRow(_ row: Int) {
        precondition(blank.contains(row))
        blank.remove(row)
    }

    /// Adds a row of nulls; there must be room at the end.
    func addRow() -> Int {
        precondition(count < limit)
        reserveRow()
        (values + count * width).initialize(repeating: .null, count: width)
        count += 1
        return count - 1
    }

    /// Adds a row and moves the values of `row` into it, one for each position; there must be room.
    @inline(__always)
    func addRow(moving row: UnsafeMutablePointer<Value>) -> Int {
        precondition(count < limit)
        reserveRow()
        for position in 0..<width { kinds[position].formUnion(row[position].kind) }
        (values + count &* width).moveInitialize(from: row, count: width)
        count &+= 1
        return count &- 1
    }

    /// The value at a row and position, which must be in range.
    subscript(row: Int, position: Int) -> Value {
        _read {
            precondition(row < count && position < width)
            yield values[row &* width &+ position]
        }
        _modify {
            precondition(row < count && position < width)
            yield &values[row &* width &+ position]
            kinds[position].formUnion(values[row &* width &+ position].kind)
        }
    }

    /// Returns the values of a row.
    func row(_ row: Int) -> UnsafeBufferPointer<Value> {
        precondition(row < count)
        return UnsafeBufferPointer(start: values + row * width, count: width)
    }

    /// Frees the values of a row.
    func clear(_ row: Int) {
        precondition(row < count)
        (values + row * width).update(repeating: .null, count: width)
        blank.insert(row)
    }

    /// Frees the values of a row. Values whose release may run the application's code are kept in `retired`.
    func clear(_ row: Int, _ retired: inout Retired) {
        for value in self.row(row) { retired.add(value) }
        clear(row)
    }

    /// Frees a row and keeps all values that have memory in `retired`.
    func clear(_ row: Int, into retired: inout [Value]) {
        for value in self.row(row) {
            switch value {
            // Only these values have memory to free.
            case .string, .links, .list, .scalar: retired.append(value)
            default: break
            }
        }
        clear(row)
    }

    /// The memory of the rows in bytes, without the memory that the values refer to.
    var rowBytes: Int { max(growing?.capacity ?? capacity * width, 1) * MemoryLayout<Value>.stride }

    /// Copies the values of a row in another block to the first positions of a row. If `isMoving` is true, the two rows
    /// exchange these values, so that no reference is counted; the other block must then not be shared.
    func take(_ row: Int, from other: RecordBlock, _ otherRow: Int, isMoving: Bool) {
        precondition(row < count && otherRow < other.count)
        for position in 0..<min(width, other.width) {
            if isMoving {
                swap(&values[row * width + position], &other.values[otherRow * other.width + position])
            } else {
                values[row * width + position] = other.values[otherRow * other.width + position]
            }
            kinds[position].formUnion(values[row * width + position].kind)
        }
    }
}

extension TypeID {
    /// No type.
    static let none = TypeID(index: .max)
}

/// Values and blocks that nothing needs any more, kept until no lock is held: freeing a converted scalar runs the
/// application's code.
struct Retired: Sendable {
    var values: [Value] = []
    var blocks: [RecordBlock] = []

    /// Keeps a value if freeing it may run the application's code.
    @inline(__always)
    mutating func add(_ value: Value) {
        if case .scalar = value { values.append(value) }
    }
}
