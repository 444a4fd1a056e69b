/// A block of rows: the values of many records of one shape, side by side.
///
/// A block has memory of its own instead of an array for each record. A record then needs no allocation, its neighbours
/// in an answer are its neighbours here, and a reader gets from a number to a value with two loads.
///
/// The class is Sendable because a block changes only through the one version that holds it
/// (`isKnownUniquelyReferenced`); shared blocks are copied first. The methods check rows and positions; `values` is for
/// `BorrowedRow`, which checks them itself.
final class RecordBlock: @unchecked Sendable {
    /// The type of the records; `TypeID.none` as long as it is unknown.
    let type: TypeID
    let shape: Shape
    let width: Int
    /// The number of rows, free ones included.
    private(set) var count = 0
    /// One bit for each free row.
    private var holes = SIMD2<UInt64>.zero
    private var capacity = 0
    private(set) var values: UnsafeMutablePointer<Value>
    /// For each position, the kinds of values that rows have had there. Nulls with which rows begin do not count.
    let kinds: UnsafeMutablePointer<Value.Kinds>
    private let limit: Int

    /// The greatest number of rows in a block.
    static let rows = 128

    init(_ type: TypeID, _ shape: Shape, capacity: Int = 0) {
        self.type = type
        self.shape = shape
        width = shape.keys.count
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

    /// Takes the rows of a block whose type and keys are known now; that block then has no rows.
    init(_ type: TypeID, _ shape: Shape, taking other: RecordBlock) {
        precondition(shape.keys.count == other.width)
        self.type = type
        self.shape = shape
        width = other.width
        limit = other.limit
        (count, holes, capacity, values) = (other.count, other.holes, other.capacity, other.values)
        kinds = .allocate(capacity: max(width, 1))
        kinds.initialize(from: other.kinds, count: max(width, 1))
        (other.count, other.holes, other.capacity) = (0, .zero, 0)
        other.values = .allocate(capacity: 1)
    }

    /// Returns the greatest number of rows. Records with very many fields rarely share their shape, so their blocks
    /// have one row.
    private static func limit(_ width: Int) -> Int { width > 64 ? 1 : rows }

    deinit {
        values.deinitialize(count: count * width)
        values.deallocate()
        kinds.deallocate()
    }

    /// True if no row can be added at the end. A free row may still be taken.
    var isFull: Bool { count == limit }
    /// The number of rows with a record.
    var used: Int { count - holes[0].nonzeroBitCount - holes[1].nonzeroBitCount }
    /// Returns true if a row is free.
    func isHole(_ row: Int) -> Bool { holes[row / 64] & 1 << UInt64(row % 64) != 0 }
    /// True if there is room for another record.
    var hasRoom: Bool { used < limit }
    /// True if the block can have only one row.
    var isForOneRecord: Bool { limit == 1 }

    func copy() -> RecordBlock {
        let copy = RecordBlock(type, shape, capacity: max(count, capacity))
        copy.values.initialize(from: values, count: count * width)
        copy.kinds.update(from: kinds, count: width)
        copy.count = count
        copy.holes = holes
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

    /// Takes a free row or adds a row, and fills it with nulls; there must be room.
    func takeRow() -> Int {
        for half in 0..<2 where holes[half] != 0 {
            let bit = holes[half].trailingZeroBitCount
            holes[half] &= holes[half] &- 1
            return half * 64 + bit
        }
        return addRow()
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

    /// Frees a row and its values.
    func clear(_ row: Int) {
        precondition(row < count)
        (values + row * width).update(repeating: .null, count: width)
        holes[row / 64] |= 1 << UInt64(row % 64)
    }

    /// Frees a row and moves its values to `retired`.
    func clear(_ row: Int, into retired: inout [Value]) {
        precondition(row < count)
        for value in UnsafeMutableBufferPointer(start: values + row * width, count: width) {
            switch value {
            // Only these values have memory to free.
            case .string, .links, .list, .scalar: retired.append(value)
            default: break
            }
        }
        clear(row)
    }

    /// The memory of the rows in bytes, without the memory that the values refer to.
    var rowBytes: Int { max(capacity * width, 1) * MemoryLayout<Value>.stride }

    /// Swaps the values of a row with those of a row in another block of the same width.
    func swap(_ row: Int, with other: RecordBlock, _ otherRow: Int) {
        precondition(row < count && otherRow < other.count && width == other.width)
        for position in 0..<width {
            Swift.swap(&values[row * width + position], &other.values[otherRow * width + position])
            kinds[position].formUnion(values[row * width + position].kind)
            other.kinds[position].formUnion(other.values[otherRow * width + position].kind)
        }
    }
}

extension TypeID {
    /// No type.
    static let none = TypeID(index: .max)
}
