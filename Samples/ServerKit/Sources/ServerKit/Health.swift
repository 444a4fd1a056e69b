public import Hummingbird
public import ServiceLifecycle
import Synchronization

/// Tells a supervisor how the process is.
///
/// `GET /health/live` is 200 while the process answers. `GET /health/ready` is 200 if every check holds, and 503
/// otherwise and from the beginning of a shutdown, so that no new requests are sent here.
///
/// The services of a group end one after the other, the last one first. Name the endpoint after the application in the
/// group; among the services of the application itself it would be told when the server has ended already.
///
/// State: guarded by a lock of its own, a leaf.
public final class Health: Service {
    private let checks: [@Sendable () async -> Bool]
    private let isEnding = Mutex(false)

    /// Makes a health endpoint with checks. Name only what the process cannot do without.
    public init(checks: [@Sendable () async -> Bool] = []) { self.checks = checks }

    /// Whether requests should be sent here.
    public func isReady() async -> Bool {
        if isEnding.withLock(\.self) { return false }
        for check in checks where await !check() { return false }
        return true
    }

    /// Adds the two routes.
    public func add<Context: RequestContext>(to router: Router<Context>) {
        router.get("/health/live") { _, _ in Response(status: .ok) }
        router.get("/health/ready") { [self] _, _ in
            Response(status: await isReady() ? .ok : .serviceUnavailable, headers: [.cacheControl: "no-store"])
        }
    }

    /// Waits for the beginning of a shutdown.
    public func run() async throws {
        try? await gracefulShutdown()
        isEnding.withLock { $0 = true }
    }
}
