/// A view of a core with the type of its data.
protocol TypedCore: HandleCore {
    associatedtype Core: ReadingSource
    var core: Core { get }
}

extension TypedCore {
    var environment: RelayEnvironment { core.environment }
    var observers: Observers { core.observers }
    var component: String { core.component }

    func reading() -> Reading { core.reading() }
}
