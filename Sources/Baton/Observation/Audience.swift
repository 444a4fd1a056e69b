import Synchronization

/// The half of a handle that lives on while deliveries are under way: it reads the store and knows who observes.
protocol HandleCore<Data>: AnyObject, Sendable {
    associatedtype Data: Sendable
    var environment: RelayEnvironment { get }
    var audience: Audience { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// The newest state; reads the store again if it has changed.
    func reading() -> Reading<Data>
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
/// State: guarded by its own lock, a leaf.
final class Audience: Sendable {
    private struct State {
        var listeners: [any Listener] = []
        var isClosed = false
    }

    private let state = Guarded(State())

    /// Adds somebody; after the end it is told at once.
    func add(_ listener: any Listener) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.listeners.append(listener) }
            return state.isClosed
        }
        if isClosed { listener.end() }
    }

    func remove(_ listener: any Listener) {
        _ = state.withLock { state in
            let all = state.listeners
            state.listeners = all.filter { $0 !== listener }
            return all
        }
    }

    func notify() {
        let gone = state.withLock { $0.listeners }.filter { !$0.notify() }
        guard !gone.isEmpty else { return }
        let identities = Set(gone.map { ObjectIdentifier($0) })
        // The bodies of the observers that go are released after the lock.
        _ = state.withLock { state in
            let all = state.listeners
            state.listeners = all.filter { !identities.contains(ObjectIdentifier($0)) }
            return all
        }
    }

    /// The handle has died: everybody is told, and nobody is kept.
    func close() {
        let listeners = state.withLock { state in
            defer { state.listeners = [] }
            state.isClosed = true
            return state.listeners
        }
        for listener in listeners { listener.end() }
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
        body(target, reading.result)
        core.environment.emit(.delivered(event(for: reading, after: last)))
    }

    private func event(for reading: Reading<Core.Data>, after last: Int) -> DeliveryEvent {
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
        audience.add(observer)
        _ = observer.notify()
        // The audience owns the observer: a token that lives longer keeps neither the body nor the handle's data.
        return ObservationToken { [weak observer, weak audience] in
            guard let observer else { return }
            observer.end()
            audience?.remove(observer)
        }
    }

    func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Data>) -> Void
    ) -> ObservationToken {
        observe(on: main) { (_: isolated MainActor, result) in
            MainActor.assumeIsolated { body(result) }
        }
    }
}
