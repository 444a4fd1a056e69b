public import Baton
public import ServiceLifecycle
import Synchronization

/// The data that all requests share, fetched again in regular intervals until the server shuts down.
///
/// The server starts whether the data can be had or not: until it has come, environments begin empty, and ask for
/// themselves. After a failure the older data stays.
///
/// State: guarded by a lock of its own, a leaf.
public final class SharedData: Service {
    private struct State {
        var base: EnvironmentBase
        var isFilled = false
    }

    private let environment: RelayEnvironment
    private let interval: Duration
    private let fetch: @Sendable (RelayEnvironment) async throws -> Void
    private let state: Mutex<State>

    /// Makes shared data.
    ///
    /// - Parameters:
    ///   - environment: The environment that holds the data. Retain in it what is fetched.
    ///   - interval: The time after which the data is fetched again.
    ///   - fetch: Fetches the data.
    public init(
        in environment: RelayEnvironment, every interval: Duration,
        fetch: @escaping @Sendable (RelayEnvironment) async throws -> Void
    ) {
        self.environment = environment
        self.interval = interval
        self.fetch = fetch
        state = Mutex(State(base: environment.base()))
    }

    /// The data with which the environment of a request begins.
    public var base: EnvironmentBase { state.withLock(\.base) }

    /// Whether the data was fetched once.
    public var isFilled: Bool { state.withLock(\.isFilled) }

    /// Fetches the data now. Later requests begin with it; requests in progress keep theirs.
    public func refresh() async throws {
        try await fetch(environment)
        let base = environment.base()
        state.withLock { $0 = State(base: base, isFilled: true) }
    }

    /// Fetches the data in intervals, until the server shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                try? await refresh()
                do { try await BoundedTime.sleep(for: interval) } catch { return }
            }
        }
    }
}
