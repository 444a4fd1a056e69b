/// Waits that end at times, the earliest first.
///
/// A wait that ends no earlier than the waits before it is added in constant time. Any wait is removed in constant
/// time.
package struct WaitList<Element> {
    /// Identifies one wait. The ID stays the same when the wait begins again, and is free after `remove`.
    package struct ID: Sendable, Hashable {
        fileprivate let slot: Int
        fileprivate let number: Int
    }

    private struct Slot {
        var number: Int
        var element: Element?
        var end = Duration.zero
        /// The neighbours in the list, or the next free slot.
        var previous: Int?
        var next: Int?
        var isListed = false
    }

    private var slots: [Slot] = []
    private var free: Int?
    private var first: Int?
    private var last: Int?
    private var lastNumber = 0

    /// The end of the earliest wait; nil if there is none.
    var firstEnd: Duration? { first.map { slots[$0].end } }
    /// The greatest number of waits at one time so far.
    var capacity: Int { slots.count }

    /// Adds a wait.
    mutating func add(_ element: Element, until end: Duration) -> ID {
        lastNumber += 1
        let place: Int
        if let free {
            place = free
            self.free = slots[place].next
            slots[place] = Slot(number: lastNumber, element: element)
        } else {
            place = slots.count
            slots.append(Slot(number: lastNumber, element: element))
        }
        link(place, until: end)
        return ID(slot: place, number: lastNumber)
    }

    /// Removes a wait, even one that has ended. Does nothing if the wait was removed before.
    mutating func remove(_ id: ID) {
        guard slots[id.slot].number == id.number, slots[id.slot].element != nil else { return }
        if slots[id.slot].isListed { unlink(id.slot) }
        slots[id.slot].element = nil
        slots[id.slot].next = free
        free = id.slot
    }

    /// Removes the earliest wait from the list and returns it if it has ended. The caller must call `repeat` or
    /// `remove`.
    mutating func takeFirst(endedAt now: Duration) -> (ID, Element)? {
        guard let first, slots[first].end <= now, let element = slots[first].element else { return nil }
        unlink(first)
        return (ID(slot: first, number: slots[first].number), element)
    }

    /// Begins a wait again that `takeFirst` returned, unless it was removed meanwhile.
    mutating func `repeat`(_ id: ID, until end: Duration) {
        guard slots[id.slot].number == id.number, slots[id.slot].element != nil, !slots[id.slot].isListed else {
            return
        }
        link(id.slot, until: end)
    }

    private mutating func link(_ place: Int, until end: Duration) {
        // Two threads may read the clock in one order and arrive here in the other order.
        var before = last
        while let other = before, slots[other].end > end { before = slots[other].previous }
        let after = before.map { slots[$0].next } ?? first
        slots[place].end = end
        slots[place].previous = before
        slots[place].next = after
        slots[place].isListed = true
        if let before { slots[before].next = place } else { first = place }
        if let after { slots[after].previous = place } else { last = place }
    }

    private mutating func unlink(_ place: Int) {
        let (before, after) = (slots[place].previous, slots[place].next)
        if let before { slots[before].next = after } else { first = after }
        if let after { slots[after].previous = before } else { last = before }
        slots[place].previous = nil
        slots[place].next = nil
        slots[place].isListed = false
    }
}
