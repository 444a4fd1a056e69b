/// A record of a version, without reference counts. Valid as long as the version is held.
///
/// A row never changes while more than one holder holds its block. The reader is such a holder, through a version or
/// the block itself. With arrays instead, each field would cost three loads and three checks, and a full read would
/// take half as long again (benchmark `read.vs-foundation`). A position out of range has no value.
@usableFromInline
struct BorrowedRow {
    let values: UnsafePointer<Value>?
    private let count: Int
    let shape: ObjectIdentifier
    let type: TypeID
    let state: Records.State

    /// Makes a record without values.
    init(_ state: Records.State) {
        values = nil
        count = 0
        // `ObjectIdentifier(Shape.self)` is the identity of no shape. A global constant would check at each access
        // whether it is initialized.
        shape = ObjectIdentifier(Shape.self)
        type = .none
        self.state = state
    }

    @inline(__always)
    init(_ block: BorrowedBlock, row: Int) {
        precondition(row < block.count)
        values = UnsafePointer(block.values + row &* block.width)
        count = block.width
        shape = block.shape
        type = block.type
        state = .existing
    }

    /// Returns the value at a position of the record's shape; nil out of range.
    @inline(__always)
    func value(at position: Int) -> UnsafePointer<Value>? {
        guard let values, position >= 0, position < count else { return nil }
        return values + position
    }
}
