import Dispatch
import Synchronization

/// A queue between threads.
final class Mailbox<Item: Sendable>: Sendable {
    private struct Queue: Sendable {
        var items: [Item] = []
        var first = 0
    }

    private let queue = Mutex(Queue())
    /// A semaphore that counts the items in the queue.
    private let count = DispatchSemaphore(value: 0)

    func put(_ item: Item) {
        queue.withLock { $0.items.append(item) }
        count.signal()
    }

    /// Takes the next item, and waits for it if the queue is empty; nil if no item has come before `deadline`.
    /// Deadlines are times of the monotonic clock.
    func take(before deadline: DispatchTime = .distantFuture) -> Item? {
        guard count.wait(timeout: deadline) == .success else { return nil }
        return queue.withLock { queue in
            defer {
                queue.first += 1
                if queue.first == queue.items.count {
                    queue.items.removeAll(keepingCapacity: true)
                    queue.first = 0
                }
            }
            return queue.items[queue.first]
        }
    }
}
