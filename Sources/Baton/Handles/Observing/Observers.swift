// The order of notifications has several owners, this one for a handle alone; ReadingTheDesign.md names the others.

import Synchronization

/// The observers of one handle, in the order in which they were added.
///
/// A frame that has read a handle keeps it from its end: a handle that is let go then ends with the last frame that
/// shows it.
///
/// State: guarded by a lock of its own, a leaf. Most handles have one observer, which needs no list.
final class Observers: Sendable {
    /// Who observes.
    enum Role: Sendable {
        /// A part of the handle, or somebody who waits for a load.
        case part
        /// An observer of the application, or a sequence of results.
        case caller
    }

    private struct Entry {
        let number: Int
        let observer: any HandleObserver
        let role: Role
    }

    private struct State {
        var first: Entry?
        var others: [Entry] = []
        var lastNumber = 0
        /// The number of observers at which gone observers are searched for.
        var limit = 8
        var isClosed = false
        /// True if the handle was let go. Its callers are gone then, while frames may show it still.
        var isLetGo = false
        /// Ends the handle, once no frame shows it.
        var end: (@Sendable () -> Void)?

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
    /// The number of frames that show the handle.
    private let frames = Atomic(0)
    /// True if the handle has ended while its request was under way.
    private let cut = Atomic(false)

    /// Adds an observer and returns its number, which is never reused. If the observers are closed, the
    /// observer is notified of the end at once.
    @discardableResult
    func add(_ observer: any HandleObserver, as role: Role = .part) -> Int {
        let (number, isClosed, isFull) = state.withLock { state in
            state.lastNumber += 1
            let entry = Entry(number: state.lastNumber, observer: observer, role: role)
            if state.isClosed || state.isLetGo && role == .caller { return (state.lastNumber, true, false) }
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

    /// True if there was ever an observer, or a frame that shows the handle.
    var wasUsed: Bool { state.withLock { $0.lastNumber > 0 } }

    // MARK: - Frames

    /// Adds the read of a frame, which must call `releaseFrame` in the end.
    func add(frame read: TrackedRead) -> Int {
        frames.add(1, ordering: .sequentiallyConsistent)
        return add(read)
    }

    /// Notes that a frame shows the handle no more. Ends a handle that was let go if it was the last frame.
    func releaseFrame() {
        let left = frames.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left == 0 { takeEnd()?() }
    }

    /// True if a frame shows the handle.
    var isInFrame: Bool { frames.load(ordering: .relaxed) > 0 }

    /// Puts the end of a handle that was let go off until no frame shows it. The callers are told of the end at once.
    func endWithFrames(_ end: @escaping @Sendable () -> Void) {
        let callers = state.withLock { state in
            state.isLetGo = true
            state.end = end
            let callers = state.all.filter { $0.role == .caller }
            let numbers = callers.map(\.number)
            _ = state.remove(where: numbers.contains)
            return callers
        }
        for caller in callers { caller.observer.end() }
        // The last frame may have gone before `end` was there.
        if frames.load(ordering: .sequentiallyConsistent) == 0 { takeEnd()?() }
    }

    private func takeEnd() -> (@Sendable () -> Void)? {
        state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
    }

    // MARK: - Ending

    /// True if a caller waits for its first state.
    var hasUntoldCaller: Bool {
        state.withLock { $0.all }.contains { $0.role == .caller && $0.observer.isUntold }
    }

    /// Notes that the handle ends while its request is under way, so that a caller who comes later gets nothing.
    func noteCut() { cut.store(true, ordering: .relaxed) }

    /// True if the handle has ended while its request was under way.
    var isCut: Bool { cut.load(ordering: .relaxed) }

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
