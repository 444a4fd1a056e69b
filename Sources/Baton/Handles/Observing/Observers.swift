/// The observers of one handle, in the order in which they were added.
///
/// State: guarded by a lock of its own, a leaf. Most handles have one observer, which needs no list.
final class Observers: Sendable {
    private struct Entry {
        let number: Int
        let observer: any HandleObserver
    }

    private struct State {
        var first: Entry?
        var others: [Entry] = []
        var lastNumber = 0
        /// The number of observers at which gone observers are searched for.
        var limit = 8
        var isClosed = false

        var all: [Entry] { (first.map { [$0] } ?? []) + others }

        /// Removes some observers; returns all observers from before.
        mutating func remove(where isRemoved: (Int) -> Bool) -> [Entry] {
            let before = all
            let rest = before.filter { !isRemoved($0.number) }
            first = rest.first
            others = Array(rest.dropFirst())
            return before
        }
    }

    private let state = Guarded(State())

    /// Adds an observer and returns its number, which is never reused. If the observers are closed, the
    /// observer is notified of the end at once.
    @discardableResult
    func add(_ observer: any HandleObserver) -> Int {
        let (number, isClosed, isFull) = state.withLock { state in
            state.lastNumber += 1
            let entry = Entry(number: state.lastNumber, observer: observer)
            if state.isClosed { return (state.lastNumber, true, false) }
            if state.first == nil { state.first = entry } else { state.others.append(entry) }
            return (state.lastNumber, false, state.others.count >= state.limit)
        }
        if isClosed { observer.end() }
        if isFull { removeGone() }
        return number
    }

    /// Removes gone observers, which otherwise stay until the next notification. The work is linear in the number of
    /// added observers, because the limit doubles.
    private func removeGone() {
        let gone = Set(state.withLock { $0.all }.filter(\.observer.isGone).map(\.number))
        let before = state.withLock { state in
            let before = state.remove(where: gone.contains)
            state.limit = max(8, state.others.count * 2)
            return before
        }
        withExtendedLifetime(before) {}
    }

    /// The number of observers, including gone ones.
    var count: Int { state.withLock { $0.all.count } }

    /// True if there is no observer.
    var isEmpty: Bool { state.withLock { $0.first == nil } }

    /// Removes an observer and notifies it of the end.
    func remove(_ number: Int) {
        // The body of an observer is released after the lock.
        state.withLock { $0.remove { $0 == number } }.first { $0.number == number }?.observer.end()
    }

    func notify() {
        let (first, others) = state.withLock { ($0.first, $0.others) }
        guard let first else { return }
        var gone: [Int] = []
        if !first.observer.notify() { gone.append(first.number) }
        for entry in others where !entry.observer.notify() { gone.append(entry.number) }
        if !gone.isEmpty { _ = state.withLock { $0.remove(where: gone.contains) } }
    }

    /// Closes the observers because the handle is deinitialized: all observers are notified of the end and removed.
    func close() {
        let entries = state.withLock { state in
            defer {
                state.first = nil
                state.others = []
            }
            state.isClosed = true
            return state.all
        }
        for entry in entries { entry.observer.end() }
    }
}

extension LogEvent.Delivery {
    /// Makes the event of a delivery that shows a reading after the reading with the revision `last`; 0 means the first
    /// reading.
    init(of reading: Reading, after last: Int, component: String) {
        if last == 0 {
            self.init(component: component, cause: .registration, publish: nil)
        } else if let change = reading.storeChange, change.revision > last {
            self.init(component: component, cause: .storeChange, publish: change.publish)
        } else {
            self.init(component: component, cause: .handle, publish: nil)
        }
    }
}
