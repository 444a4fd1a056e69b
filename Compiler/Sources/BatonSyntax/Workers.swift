import Dispatch
import Foundation
import Synchronization

/// The threads that share the work of one run. Results never depend on the number of threads.
package struct Workers: Hashable, Sendable {
    package let count: Int

    package init(count: Int) {
        self.count = max(1, count)
    }

    /// One worker for each core that the process may use.
    package static let all = Workers(count: ProcessInfo.processInfo.activeProcessorCount)

    /// The calling thread alone.
    package static let one = Workers(count: 1)

    /// Splits items into as many parts as there are workers, calls `body` for all parts in parallel, and returns the
    /// results in the order of the parts.
    ///
    /// `weight` is the amount of work of an item; the parts have about the same weight. The function returns when all
    /// parts are done.
    package func map<Item: Sendable, Result: Sendable>(
        _ items: [Item],
        weight: (Item) -> Int = { _ in 1 },
        body: @Sendable (ArraySlice<Item>) -> Result
    ) -> [Result] {
        let parts = parts(of: items, weight: weight)
        if parts.count < 2 { return parts.map { body(items[$0]) } }
        let results = Mutex([Result?](repeating: nil, count: parts.count))
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            let result = body(items[parts[index]])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// The results of two functions that run at the same time, if there are several workers.
    package func both<First: Sendable, Second: Sendable>(
        _ first: @Sendable () -> First, and second: @Sendable () -> Second
    ) -> (First, Second) {
        if count == 1 { return (first(), second()) }
        let made = Mutex<First?>(nil)
        let others = Mutex<Second?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            if index == 0 {
                let result = first()
                made.withLock { $0 = result }
            } else {
                let result = second()
                others.withLock { $0 = result }
            }
        }
        return (made.withLock { $0 } ?? first(), others.withLock { $0 } ?? second())
    }

    /// Splits the items into consecutive, nonempty ranges of about equal weight.
    private func parts<Item>(of items: [Item], weight: (Item) -> Int) -> [Range<Int>] {
        if items.isEmpty { return [] }
        if count == 1 { return [items.indices] }
        let total = items.reduce(0) { $0 + weight($1) }
        var parts: [Range<Int>] = []
        var start = 0
        var sum = 0
        for index in items.indices {
            sum += weight(items[index])
            if sum * count >= total * (parts.count + 1), parts.count + 1 < count {
                parts.append(start..<(index + 1))
                start = index + 1
            }
        }
        if start < items.count { parts.append(start..<items.count) }
        return parts
    }
}
