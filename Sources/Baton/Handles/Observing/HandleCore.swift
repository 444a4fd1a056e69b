/// The part of a handle that lives on while deliveries are under way. It reads the store and has the observers. It is
/// an object, or a typed value around an object.
protocol HandleCore<Data>: ReadingSource {
    associatedtype Data: Sendable, Equatable
    /// Returns a state with the type of its data.
    func result(of reading: Reading) -> QueryResult<Data>
}

extension HandleCore {
    /// Returns the newest state. If a frame is being drawn, it has read the handle then.
    func result() -> QueryResult<Data> { result(of: Recording.current?.read(self) ?? reading()) }
}

extension HandleCore where Data: GeneratedCode.Selections {
    func result(of reading: Reading) -> QueryResult<Data> { reading.result(of: Data.self) }
}

extension HandleCore {
    func observe<Target: Actor>(
        on target: Target, _ body: @escaping @Sendable (isolated Target, QueryResult<Data>) -> Void
    ) -> ObservationToken {
        let observer = ActorObserver(target, of: self, body)
        let observers = observers
        let number = observers.add(observer, as: .caller)
        _ = observer.notify()
        // The observers own the observer, so a token that lives longer keeps neither the body nor the handle's data
        // alive. The observer is held strongly, for the same reason as the subscribers of `SubscriptionIndex`.
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

/// A view of a core with the type of its data.
protocol TypedCore: HandleCore {
    associatedtype Core: ReadingSource
    var core: Core { get }
}

extension TypedCore {
    var environment: RelayEnvironment { core.environment }
    var observers: Observers { core.observers }
    var component: String { core.component }
    var subject: DataID? { core.subject }

    func reading() -> Reading { core.reading() }
}
