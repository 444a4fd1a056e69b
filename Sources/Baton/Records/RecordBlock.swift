/// Rows of values: those of many records of one shape, side by side.
///
/// Memory of its own instead of an array for each record: a record needs no allocation, its neighbours in an answer are
/// its neighbours here, and a reader goes from a number to a value with two loads. Sendable because a block is changed
/// only through the one version that holds it (`isKnownUniquelyReferenced`); shared ones are copied first. Rows and
/// positions are checked by the methods; `values` is for `BorrowedRow`, which checks them itself.
final class RecordBlock: @unchecked Sendable {
    /// The type of the records; `TypeID.none` while that is not known.
    let type: TypeID
    let shape: Shape
    let width: Int
    /// Rows in use, those that were given back included.
    private(set) var count = 0
    /// One bit for each row that was given back.
    private var holes = SIMD2<UInt64>.zero
    private var capacity = 0
    private(set) var values: UnsafeMutablePointer<Value>
    private let limit: Int

    /// The most rows of a block.
    static let rows = 128

    init(_ type: TypeID, _ shape: Shape, capacity: Int = 0) {
        self.type = type
        self.shape = shape
        width = shape.keys.count
        limit = Self.limit(width)
        self.capacity = min(capacity, limit)
        values = .allocate(capacity: max(self.capacity * width, 1))
    }

    /// Makes a block for values of which it is not known yet what type and keys they are of.
    init(width: Int, capacity: Int) {
        type = .none
        shape = .empty
        self.width = width
        limit = Self.limit(width)
        self.capacity = min(capacity, limit)
        values = .allocate(capacity: max(self.capacity * width, 1))
    }

    /// Takes the rows of a block for which the type and the keys are known now; it has no rows then.
    init(_ type: TypeID, _ shape: Shape, taking other: RecordBlock) {
        precondition(shape.keys.count == other.width)
        self.type = type
        self.shape = shape
        width = other.width
        limit = other.limit
        (count, holes, capacity, values) = (other.count, other.holes, other.capacity, other.values)
        (other.count, other.holes, other.capacity) = (0, .zero, 0)
        other.values = .allocate(capacity: 1)
    }

    /// Records with very many fields are mostly alone with their shape.
    private static func limit(_ width: Int) -> Int { width > 64 ? 1 : rows }

    deinit {
        values.deinitialize(count: count * width)
        values.deallocate()
    }

    /// No row can be added; one that was given back may be taken.
    var isFull: Bool { count == limit }
    /// Rows that hold a record.
    var used: Int { count - holes[0].nonzeroBitCount - holes[1].nonzeroBitCount }
    /// The row was given back.
    func isHole(_ row: Int) -> Bool { holes[row / 64] & 1 << UInt64(row % 64) != 0 }
    /// There is room for another record.
    var hasRoom: Bool { used < limit }
    /// It has room for a single row.
    var isForOneRecord: Bool { limit == 1 }

    func copy() -> RecordBlock {
        let copy = RecordBlock(type, shape, capacity: max(count, capacity))
        copy.values.initialize(from: values, count: count * width)
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

    /// Finds a row of nulls, one that was given back or a new one; there must be room.
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

    /// Adds a row that takes over as many values as the block is wide; there must be room.
    @inline(__always)
    func addRow(moving row: UnsafeMutablePointer<Value>) -> Int {
        precondition(count < limit)
        reserveRow()
        (values + count &* width).moveInitialize(from: row, count: width)
        count &+= 1
        return count &- 1
    }

    /// A value; null outside.
    subscript(row: Int, position: Int) -> Value {
        _read {
            precondition(row < count && position < width)
            yield values[row &* width &+ position]
        }
        _modify {
            precondition(row < count && position < width)
            yield &values[row &* width &+ position]
        }
    }

    /// The values of a row.
    func row(_ row: Int) -> UnsafeBufferPointer<Value> {
        precondition(row < count)
        return UnsafeBufferPointer(start: values + row * width, count: width)
    }

    /// Gives a row back, and its values up.
    func clear(_ row: Int) {
        precondition(row < count)
        (values + row * width).update(repeating: .null, count: width)
        holes[row / 64] |= 1 << UInt64(row % 64)
    }

    /// Gives a row back, and its values to the caller.
    func clear(_ row: Int, into retired: inout [Value]) {
        precondition(row < count)
        for value in UnsafeMutableBufferPointer(start: values + row * width, count: width) {
            switch value {
            // Only these have something to free.
            case .string, .links, .list, .scalar: retired.append(value)
            default: break
            }
        }
        clear(row)
    }

    /// Bytes of the rows, without what their values point at.
    var rowBytes: Int { max(capacity * width, 1) * MemoryLayout<Value>.stride }

    /// Exchanges the values of a row for those of another block of the same width.
    func swap(_ row: Int, with other: RecordBlock, _ otherRow: Int) {
        precondition(row < count && otherRow < other.count && width == other.width)
        for position in 0..<width {
            Swift.swap(&values[row * width + position], &other.values[otherRow * width + position])
        }
    }
}

extension TypeID {
    /// No type.
    static let none = TypeID(index: .max)
}
