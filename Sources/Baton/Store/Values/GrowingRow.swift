/// The values of one record that gets more and more fields.
///
/// Blocks that continue each other share these values, and each block has the first `width` of them. So a record with
/// thousands of fields is not copied when it gets one more, and results that hold its versions hold one piece of
/// memory.
///
/// A value that blocks share does not change. The values after those of all blocks belong to the block that claims
/// them. Only the store that has made the row claims values: the values of a store over a base must end with that
/// store. The class is Sendable because of this rule; `RecordBlock` asks for a claim before it writes.
final class GrowingRow: @unchecked Sendable {
    let values: UnsafeMutablePointer<Value>
    let kinds: UnsafeMutablePointer<Value.Kinds>
    let capacity: Int
    private let owner: ObjectIdentifier
    /// The number of values that belong to blocks.
    private let used = Guarded(0)

    /// Makes room for values of the store with a table of names.
    init(capacity: Int, owner: ObjectIdentifier) {
        self.capacity = capacity
        self.owner = owner
        values = .allocate(capacity: capacity)
        kinds = .allocate(capacity: capacity)
    }

    deinit {
        values.deinitialize(count: used.withLock { $0 })
        values.deallocate()
        kinds.deallocate()
    }

    /// Claims the values from `width` up to `end` for the caller, who must write them at once. Returns false if another
    /// block has claimed them, if there is no room, or if the row belongs to another store.
    func claim(from width: Int, to end: Int, owner: ObjectIdentifier) -> Bool {
        guard end <= capacity, owner == self.owner else { return false }
        return used.withLock { used in
            guard used == width else { return false }
            used = end
            return true
        }
    }
}
