import Baton
import Synchronization

/// The data that all requests share, and the environments of the requests.
///
/// One environment lives as long as the server and holds the list of films. Each request gets an environment of its
/// own, over a base that is made of the shared one. A new base is made when a mutation has changed the data. Requests
/// in progress keep their base.
final class Site: Sendable {
    private let network: any NetworkLayer
    private let shared: RelayEnvironment
    private let films: Retention
    private let base: Mutex<EnvironmentBase>

    /// Fetches the shared data; throws if the endpoint does not answer.
    init(network: any NetworkLayer) async throws {
        self.network = network
        shared = RelayEnvironment(network: network, log: { _ in })
        films = shared.retain(FilmListQuery())
        _ = try await shared.fetch(FilmListQuery())
        base = Mutex(shared.base())
    }

    /// Makes the environment of a request.
    func environment(log: @escaping @Sendable (LogEvent) -> Void = { _ in }) -> RelayEnvironment {
        RelayEnvironment(over: base.withLock { $0 }, network: network, log: log)
    }

    /// Fetches the shared data again; later requests begin with the new data. The old data stay if the endpoint does
    /// not answer.
    func refresh() async {
        guard (try? await shared.fetch(FilmListQuery())) != nil else { return }
        let next = shared.base()
        base.withLock { $0 = next }
    }
}
