import Synchronization

/// The part of a handle that lives on while deliveries are under way: it reads the store and has the observers. It is
/// an object, or a typed value around one.
protocol HandleCore<Data>: ReadingSource {
    associatedtype Data: Sendable, Equatable
    /// Returns a state with the type of its data.
    func result(of reading: Reading) -> QueryResult<Data>
}

extension HandleCore {
    /// Returns the newest state, which the frame that is being drawn has then read.
    func result() -> QueryResult<Data> { result(of: Recording.current?.read(self) ?? reading()) }
}

extension HandleCore where Data: GeneratedCode.Selections {
    func result(of reading: Reading) -> QueryResult<Data> { reading.result(of: Data.self) }
}

/// An observer of new states of a handle.
protocol HandleObserver: AnyObject, Sendable {
    /// Called on any thread while no lock of the handle is held; must be quick. Returns false if the observer is to be
    /// removed.
    func notify() -> Bool
    /// Called when the handle is deinitialized.
    func end()
    /// True if nobody is left to be told. Called while no lock is held.
    var isGone: Bool { get }
}

extension HandleObserver {
    var isGone: Bool { false }
}

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
        /// The number of observers at which those that are gone are looked for.
        var limit = 8
        var isClosed = false

        var all: [Entry] { (first.map { [$0] } ?? []) + others }

        /// Removes some observers; returns all that were there before.
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

    /// Removes observers that are gone, which otherwise stay until the next notification. The work grows with the
    /// number of those who were added since, because the limit doubles.
    private func removeGone() {
        let gone = Set(state.withLock { $0.all }.filter(\.observer.isGone).map(\.number))
        let before = state.withLock { state in
            let before = state.remove(where: gone.contains)
            state.limit = max(8, state.others.count * 2)
            return before
        }
        withExtendedLifetime(before) {}
    }

    /// The number of observers, those that are gone included.
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

/// The observers of a handle, in an object that is made for the first one. Most handles of a list have none.
struct LateObservers: ~Copyable, Sendable {
    private let made = LateReference<Observers>()

    /// The observers, if the object is made. Must be called after the news was noted in an atomic.
    ///
    /// Either this property finds the object, or the thread that makes it later reads the atomic and finds the news.
    /// The fences order the writes of both threads before their reads.
    var present: Observers? {
        if let observers = made.load() { return observers }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return made.load()
    }

    /// The observers; the object is made if there is none.
    var observers: Observers {
        let observers = made.load() ?? made.storeIfNil(Observers())
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return observers
    }
}

/// One call of `observe`: an actor, held weakly, and the body to run on it.
///
/// State: atomics. `lastRevision` is used only on the actor.
final class ActorObserver<Target: Actor, Core: HandleCore>: HandleObserver, Delivery {
    private let core: Core
    private let body: @Sendable (isolated Target, QueryResult<Core.Data>) -> Void
    private let isScheduled = Atomic(false)
    private let isOver = Atomic(false)
    private let lastRevision = Atomic(0)
    private weak let target: Target?

    init(
        _ target: Target, of core: Core, _ body: @escaping @Sendable (isolated Target, QueryResult<Core.Data>) -> Void
    ) {
        self.core = core
        self.target = target
        self.body = body
    }

    func notify() -> Bool {
        guard let target, !isOver.load(ordering: .acquiring) else { return false }
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) {
            core.environment.deliveries.schedule(self, on: target)
        }
        return true
    }

    func end() {
        isOver.store(true, ordering: .releasing)
    }

    var isGone: Bool { target == nil }

    func deliver(on target: isolated Target) {
        _ = isScheduled.exchange(false, ordering: .acquiringAndReleasing)
        guard !isOver.load(ordering: .acquiring) else { return }
        let reading = core.reading()
        let last = lastRevision.exchange(reading.revision, ordering: .relaxed)
        guard reading.revision != last else { return }
        Recording.outside { body(target, core.result(of: reading)) }
        core.environment.emit(.delivered(DeliveryEvent(of: reading, after: last, component: core.component)))
    }
}

extension DeliveryEvent {
    /// The event of showing a reading after that with the revision `last`; 0 stands for none.
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

extension HandleCore {
    func observe<Target: Actor>(
        on target: Target, _ body: @escaping @Sendable (isolated Target, QueryResult<Data>) -> Void
    ) -> ObservationToken {
        let observer = ActorObserver(target, of: self, body)
        let observers = observers
        let number = observers.add(observer)
        _ = observer.notify()
        // The observers own the observer, so a token that lives longer keeps neither the body nor the handle's data
        // alive. The observers themselves are held strongly, for the same reason as subscribers in `SubscriptionIndex`.
        return ObservationToken { [observers] in observers.remove(number) }
    }

    func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Data>) -> Void
    ) -> ObservationToken {
        observe(on: main) { (_: isolated MainActor, result) in
            MainActor.assumeIsolated { body(result) }
        }
    }
}
