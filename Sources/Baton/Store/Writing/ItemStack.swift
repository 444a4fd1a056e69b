/// A stack of the items of unfinished lists, with inner lists above outer ones. Its memory is used again.
///
/// A list is made when its last item has been read, in one piece of memory of the right size. A list that grows item by
/// item would be moved several times and end half empty (benchmark `shape.short-lists`).
final class ItemStack<Item> {
    private(set) var count = 0
    private var capacity = 0
    /// The memory, which is allocated with the first item, because a small response has no lists.
    private var memory: UnsafeMutablePointer<Item>?

    deinit {
        memory?.deinitialize(count: count)
        memory?.deallocate()
    }

    /// The memory. There must be items, or room for some.
    private var items: UnsafeMutablePointer<Item> {
        @inline(__always) get { memory.unsafelyUnwrapped }
    }

    @inline(__always)
    func append(_ item: consuming Item) {
        if count == capacity { grow() }
        (items + count).initialize(to: item)
        count &+= 1
    }

    @inline(never)
    private func grow() {
        let larger = UnsafeMutablePointer<Item>.allocate(capacity: max(64, capacity * 2))
        if let memory {
            larger.moveInitialize(from: memory, count: count)
            memory.deallocate()
        }
        memory = larger
        capacity = max(64, capacity * 2)
    }

    /// Removes the items from a position on and returns them as a list.
    func take(from first: Int) -> [Item] {
        precondition(first >= 0 && first <= count)
        let length = count - first
        var list: [Item] = []
        list.reserveCapacity(length)
        for index in first..<count { list.append((items + index).move()) }
        count = first
        return list
    }
}
