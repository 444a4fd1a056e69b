/// The properties of a block that a reader needs, without reference counts. Valid as long as a version that holds the
/// block is held.
struct BorrowedBlock: @unchecked Sendable {
    let object: Unmanaged<RecordBlock>
    let values: UnsafeMutablePointer<Value>
    let kinds: UnsafeMutablePointer<Value.Kinds>
    let width: Int
    let count: Int
    let shape: ObjectIdentifier
    let type: TypeID

    init(_ block: RecordBlock) {
        object = .passUnretained(block)
        values = block.values
        kinds = block.kinds
        width = block.width
        count = block.count
        shape = ObjectIdentifier(block.shape)
        type = block.type
    }

    /// Returns true if the borrowed properties are those of the block's current state.
    func isBorrowed(from block: RecordBlock) -> Bool {
        values == block.values && width == block.width && count == block.count && type == block.type
            && shape == ObjectIdentifier(block.shape)
    }
}
