import Dispatch
import Synchronization

/// A queue between threads.
///
/// Items may have weights, and the one writer of such items waits until there is room. So what a client sends faster
/// than it is handled stays with the client.
final class Mailbox<Item: Sendable>: Sendable {
    private struct Queue: Sendable {
        var items: [(item: Item, weight: Int)?] = []
        var first = 0
        var weight = 0
        var isWriterWaiting = false
    }

    private let queue = Mutex(Queue())
    /// A semaphore that counts the items in the queue.
    private let count = DispatchSemaphore(value: 0)
    /// Is signalled when there is room for the writer that waits.
    private let room = DispatchSemaphore(value: 0)

    /// Adds an item of no weight at once.
    func put(_ item: Item) {
        queue.withLock { $0.items.append((item, 0)) }
        count.signal()
    }

    /// Adds an item as soon as the items in the queue weigh less than `limit`. One thread alone calls this.
    func put(_ item: Item, weighing weight: Int, below limit: Int) {
        while true {
            let isTaken = queue.withLock { queue in
                queue.isWriterWaiting = queue.weight >= limit
                if queue.isWriterWaiting { return false }
                queue.items.append((item, weight))
                queue.weight += weight
                return true
            }
            if isTaken { break }
            room.wait()
        }
        count.signal()
    }

    /// Takes the next item, and waits for it if the queue is empty; nil if no item has come before `deadline`.
    /// Deadlines are times of the monotonic clock.
    func take(before deadline: DispatchTime = .distantFuture) -> Item? {
        guard count.wait(timeout: deadline) == .success else { return nil }
        let (item, isRoom) = queue.withLock { queue in
            let taken = queue.items[queue.first]
            queue.items[queue.first] = nil
            queue.first += 1
            // Half of the places may be of items that were taken, so that moving the others costs little.
            if queue.first * 2 >= queue.items.count {
                queue.items.removeFirst(queue.first)
                queue.first = 0
            }
            queue.weight -= taken?.weight ?? 0
            defer { queue.isWriterWaiting = false }
            return (taken?.item, queue.isWriterWaiting)
        }
        if isRoom { room.signal() }
        return item
    }
}
