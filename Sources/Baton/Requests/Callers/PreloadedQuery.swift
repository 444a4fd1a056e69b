import Synchronization

/// A query that is fetched before the component exists that shows it.
///
///     let film = environment.preload(FilmDetailQuery(id: id))
///     // later, in the component:
///     let handle = QueryHandle(film)
///     handle.get(id: id)
///
/// As long as this object lives, it retains the operation's data and keeps the request alive. A handle that is made
/// with it takes over both at its first `get` with the same variables. Several handles may be made with it.
///
/// ### Behavior
///
/// - A preload that nobody keeps is cancelled.
/// - A preload keeps its data from a collection.
/// - A handle that asks for other variables releases the preload.
public final class PreloadedQuery<Query: GraphQLQuery>: Sendable {
    /// The query and its variables.
    public let query: Query
    let environment: RelayEnvironment
    let configuration: RequestConfiguration
    let policy: FetchPolicy
    private let retention: Retention
    private let waiter: Waiter
    private let state: PreloadState
    private let operation: BoundOperation
    private let startTime: Duration
    /// True once a handle was made with the preload, or the owner has looked at it.
    private let isUsed = Atomic(false)

    init(
        _ query: Query, in environment: RelayEnvironment, _ policy: FetchPolicy, _ configuration: RequestConfiguration
    ) {
        self.query = query
        self.environment = environment
        self.policy = policy
        self.configuration = configuration
        startTime = environment.now()
        let operation = environment.store.bind(query)
        self.operation = operation
        retention = Retention(operation, in: environment.operations)
        let state = PreloadState()
        self.state = state
        waiter = Waiter { event in
            switch event {
            case .landed(let payload) where payload.hasNext: break
            case .landed(let payload): state.set(payload.presence == .object ? .fetched : .failed, event)
            case .failed: state.set(.failed, event)
            case .completed, .connection: break
            }
        }
        if policy == .storeOnly || policy == .storeOrNetwork && environment.check(operation).isAvailable {
            state.set(.fetched)
        } else {
            let call = RequestCall(operation: operation, policy: policy, configuration: configuration)
            environment.requests.joinOrStart(call, for: waiter)
        }
    }

    deinit {
        let isLost = state.value == .waiting && !isUsed.load(ordering: .relaxed)
        cancel()
        // A user who moves on takes longer.
        if isLost, environment.now() - startTime < .milliseconds(1) {
            environment.log.report(.preloadLetGo, at: operation.artifact.name)
        }
    }

    /// True while the request has no complete response.
    public var isFetching: Bool {
        noteUse()
        return state.value == .waiting
    }

    /// Gives the request up unless a handle waits for it. The data stays retained.
    public func cancel() {
        noteUse()
        waiter.cancel()
        state.set(.failed, .failed(.cancelled))
    }
}

extension PreloadedQuery: Preloaded {
    /// Notes that somebody uses the preload.
    func noteUse() { isUsed.store(true, ordering: .relaxed) }

    func isFetched(_ operation: BoundOperation) -> Bool {
        operation === self.operation && state.value == .fetched
    }

    func follow(_ operation: BoundOperation, _ waiter: Waiter) -> Bool {
        operation === self.operation && state.follow(waiter, keeping: self)
    }
}

/// The end of a preload; the first end counts.
///
/// State: guarded by a lock of its own, a leaf.
private final class PreloadState: Sendable {
    enum Value {
        case waiting
        case fetched
        case failed
    }

    private struct State {
        var value = Value.waiting
        /// The waiters to notify of the end, with the preloads that they keep until then.
        var followers: [(waiter: Waiter, kept: any AnyObject & Sendable)] = []
    }

    private let state = Guarded(State())

    var value: Value { state.withLock { $0.value } }

    func set(_ value: Value, _ event: RequestEvent? = nil) {
        let followers = state.withLock { state -> [(waiter: Waiter, kept: any AnyObject & Sendable)] in
            guard state.value == .waiting else { return [] }
            defer { state.followers = [] }
            state.value = value
            return state.followers
        }
        guard let event else { return }
        for follower in followers where !follower.waiter.isOver { follower.waiter.receive(event) }
    }

    func follow(_ waiter: Waiter, keeping kept: any AnyObject & Sendable) -> Bool {
        state.withLock { state in
            if state.value == .waiting { state.followers.append((waiter, kept)) }
            return state.value == .waiting
        }
    }
}
