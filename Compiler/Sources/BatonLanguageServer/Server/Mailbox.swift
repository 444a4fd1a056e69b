import Foundation

/// A queue between threads. The lock is that of `condition`, and guards the other fields.
final class Mailbox<Item: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var items: [Item] = []
    private var first = 0

    func put(_ item: Item) {
        condition.lock()
        items.append(item)
        condition.signal()
        condition.unlock()
    }

    /// Takes the next item, or waits for it; nil if none has come before `deadline`.
    func take(before deadline: Date? = nil) -> Item? {
        condition.lock()
        defer { condition.unlock() }
        while first == items.count {
            guard let deadline else {
                condition.wait()
                continue
            }
            if !condition.wait(until: deadline), first == items.count { return nil }
        }
        defer {
            first += 1
            if first == items.count {
                items.removeAll(keepingCapacity: true)
                first = 0
            }
        }
        return items[first]
    }
}
