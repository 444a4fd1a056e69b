import Synchronization

/// The half of a handle that lives on while deliveries are under way: it reads the store and knows who observes. An
/// object, or a look at one.
protocol HandleCore<Data>: Sendable {
    associatedtype Data: Sendable
    var environment: RelayEnvironment { get }
    var audience: Audience { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// The newest state; reads the store again if it has changed.
    func reading() -> Reading
}

/// Somebody who hears that a handle may have something new.
protocol Listener: AnyObject, Sendable {
    /// Called outside every lock of the handle, on any thread; must be quick. False if it will never listen again.
    func notify() -> Bool
    /// The handle has died.
    func end()
}

/// Those who observe one handle, in the order in which they began.
///
/// State: guarded by its own lock, a leaf. Mostly there is one listener, which needs no list.
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

        /// Takes out some, and gives everybody who was there.
        mutating func remove(_ numbers: [Int]) -> [Seat] {
            let before = all
            let rest = before.filter { !numbers.contains($0.number) }
            first = rest.first
            others = Array(rest.dropFirst())
            return before
        }
    }

    private let state = Guarded(State())

    /// Adds somebody, who is told at once if it is over; the number of the seat, which no other gets.
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

    /// Takes somebody out, who then hears that it is over.
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

    /// The handle has died: everybody is told, and nobody is kept.
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

/// An audience that is made for the first who observes: most handles of a list are only read.
struct LateAudience: ~Copyable, Sendable {
    private let made = AtomicLazyReference<Audience>()

    /// The audience if somebody has observed; called after what is to be told was noted in an atomic.
    ///
    /// Either this finds the audience, or who makes it reads the atomic later and finds what was noted: the fences put
    /// what both write before what both read.
    var present: Audience? {
        if let audience = made.load() { return audience }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return made.load()
    }

    /// The audience, which is made now if it has to be.
    var audience: Audience {
        let audience = made.load() ?? made.storeIfNil(Audience())
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return audience
    }
}

/// One call of `observe`: an actor, held weakly, and what to run on it.
///
/// State: atomics. `lastRevision` is used on the actor only.
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
        // The audience owns the observer: a token that lives longer keeps neither the body nor the handle's data. It is
        // held strongly itself, for the same reason as subscribers in `SubscriptionIndex`.
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
