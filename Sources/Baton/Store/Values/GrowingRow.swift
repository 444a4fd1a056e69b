/// The values of one record that gets more and more fields.
///
/// Blocks of which one continues the other share these values, and each has the first `width` of them. So a record with
/// thousands of fields is not copied for one field more, and results that hold its versions hold one piece of memory.
///
/// A value that blocks share does not change. Values after those of all blocks belong to the block that claims them.
/// Only the store that has made the row claims values: what a store over a base adds must end with it.
/// Sendable because of this rule; `RecordBlock` asks for a claim before it writes.
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

    /// Claims the values from `width` up to `end` for the caller, who must write them at once. Returns false if others
    /// have claimed them, if there is no room, or if the row belongs to another store.
    func claim(from width: Int, to end: Int, owner: ObjectIdentifier) -> Bool {
        guard end <= capacity, owner == self.owner else { return false }
        return used.withLock { used in
            guard used == width else { return false }
            used = end
            return true
        }
    }
}
