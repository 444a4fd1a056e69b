/// The values of one record that gets more and more fields.
///
/// Blocks of which one continues the other share these values, and each has the first `width` of them. So a record with
/// thousands of fields is not copied for one field more, and results that hold its versions hold one piece of memory.
///
/// A value that blocks share does not change. Values after those of all blocks belong to the block that claims them.
/// Sendable because of this rule; `RecordBlock` asks for a claim before it writes.
final class GrowingRow: @unchecked Sendable {
    let values: UnsafeMutablePointer<Value>
    let kinds: UnsafeMutablePointer<Value.Kinds>
    let capacity: Int
    /// The number of values that belong to blocks.
    private let used = Guarded(0)

    init(capacity: Int) {
        self.capacity = capacity
        values = .allocate(capacity: capacity)
        kinds = .allocate(capacity: capacity)
    }

    deinit {
        values.deinitialize(count: used.withLock { $0 })
        values.deallocate()
        kinds.deallocate()
    }

    /// Claims the values from `width` up to `end` for the caller, who must write them at once. Returns false if others
    /// have claimed them, or if there is no room.
    func claim(from width: Int, to end: Int) -> Bool {
        guard end <= capacity else { return false }
        return used.withLock { used in
            guard used == width else { return false }
            used = end
            return true
        }
    }
}
