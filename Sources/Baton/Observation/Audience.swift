import Synchronization

/// The part of a handle that lives on while deliveries are under way: it reads the store and has the audience. It is an
/// object, or a typed view of one.
protocol HandleCore<Data>: Sendable {
    associatedtype Data: Sendable
    var environment: RelayEnvironment { get }
    var audience: Audience { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// Returns the newest state; reads the store again if the data has changed.
    func reading() -> Reading
}

/// A listener for new states of a handle.
protocol Listener: AnyObject, Sendable {
    /// Called on any thread while no lock of the handle is held; must be quick. Returns false if the listener is to be
    /// removed.
    func notify() -> Bool
    /// Called when the handle is deinitialized.
    func end()
}

/// The listeners of one handle, in the order in which they were added.
///
/// State: guarded by a lock of its own, a leaf. Most audiences have one listener, which needs no list.
final class Audience: Sendable {
    private struct Seat {
        let number: Int
        let listener: any Listener
    }

    private struct State {
        var first: Seat?
        var others: [Seat] = []
        var lastNumber = 0
        var isClosed = false

        var all: [Seat] { (first.map { [$0] } ?? []) + others }

        /// Removes some listeners; returns all that were there before.
        mutating func remove(_ numbers: [Int]) -> [Seat] {
            let before = all
            let rest = before.filter { !numbers.contains($0.number) }
            first = rest.first
            others = Array(rest.dropFirst())
            return before
        }
    }

    private let state = Guarded(State())

    /// Adds a listener and returns the number of its seat, which is never reused. If the audience is closed, the
    /// listener is notified of the end at once.
    @discardableResult
    func add(_ listener: any Listener) -> Int {
        let (number, isClosed) = state.withLock { state in
            state.lastNumber += 1
            let seat = Seat(number: state.lastNumber, listener: listener)
            if state.isClosed { return (state.lastNumber, true) }
            if state.first == nil { state.first = seat } else { state.others.append(seat) }
            return (state.lastNumber, false)
        }
        if isClosed { listener.end() }
        return number
    }

    /// Removes a listener and notifies it of the end.
    func remove(_ number: Int) {
        // The body of an observer is released after the lock.
        state.withLock { $0.remove([number]) }.first { $0.number == number }?.listener.end()
    }

    func notify() {
        let (first, others) = state.withLock { ($0.first, $0.others) }
        guard let first else { return }
        var gone: [Int] = []
        if !first.listener.notify() { gone.append(first.number) }
        for seat in others where !seat.listener.notify() { gone.append(seat.number) }
        if !gone.isEmpty { _ = state.withLock { $0.remove(gone) } }
    }

    /// Closes the audience because the handle is deinitialized: all listeners are notified of the end and removed.
    func close() {
        let seats = state.withLock { state in
            defer {
                state.first = nil
                state.others = []
            }
            state.isClosed = true
            return state.all
        }
        for seat in seats { seat.listener.end() }
    }
}

/// An audience that is made for the first observer. Most handles of a list have no observer.
struct LateAudience: ~Copyable, Sendable {
    private let made = AtomicLazyReference<Audience>()

    /// The audience, if there is one. Must be called after the news was noted in an atomic.
    ///
    /// Either this property finds the audience, or the thread that makes the audience later reads the atomic and finds
    /// the news. The fences order the writes of both threads before their reads.
    var present: Audience? {
        if let audience = made.load() { return audience }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return made.load()
    }

    /// The audience, which is made if there is none.
    var audience: Audience {
        let audience = made.load() ?? made.storeIfNil(Audience())
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return audience
    }
}

/// One call of `observe`: an actor, held weakly, and the body to run on it.
///
/// State: atomics. `lastRevision` is used only on the actor.
final class Observer<Target: Actor, Core: HandleCore>: Listener, Letter {
    private let core: Core
    private let body: @Sendable (isolated Target, QueryResult<Core.Data>) -> Void
    private let isPosted = Atomic(false)
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
        if !isPosted.exchange(true, ordering: .acquiringAndReleasing) {
            core.environment.postOffice.post(self, to: target)
        }
        return true
    }

    func end() {
        isOver.store(true, ordering: .releasing)
    }

    func open(on target: isolated Target) {
        _ = isPosted.exchange(false, ordering: .acquiringAndReleasing)
        guard !isOver.load(ordering: .acquiring) else { return }
        let reading = core.reading()
        let last = lastRevision.exchange(reading.revision, ordering: .relaxed)
        guard reading.revision != last else { return }
        body(target, reading.result(of: Core.Data.self))
        core.environment.emit(.delivered(event(for: reading, after: last)))
    }

    private func event(for reading: Reading, after last: Int) -> DeliveryEvent {
        if last == 0 { return DeliveryEvent(component: core.component, cause: .registration, publish: nil) }
        guard let change = reading.storeChange, change.revision > last else {
            return DeliveryEvent(component: core.component, cause: .handle, publish: nil)
        }
        return DeliveryEvent(component: core.component, cause: .storeChange, publish: change.publish)
    }
}

extension HandleCore {
    func observe<Target: Actor>(
        on target: Target, _ body: @escaping @Sendable (isolated Target, QueryResult<Data>) -> Void
    ) -> ObservationToken {
        let observer = Observer(target, of: self, body)
        let audience = audience
        let seat = audience.add(observer)
        _ = observer.notify()
        // The audience owns the observer, so a token that lives longer keeps neither the body nor the handle's data
        // alive. The audience itself is held strongly, for the same reason as subscribers in `SubscriptionIndex`.
        return ObservationToken { [audience] in audience.remove(seat) }
    }

    func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Data>) -> Void
    ) -> ObservationToken {
        observe(on: main) { (_: isolated MainActor, result) in
            MainActor.assumeIsolated { body(result) }
        }
    }
}
