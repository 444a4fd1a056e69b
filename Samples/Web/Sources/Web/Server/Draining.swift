import ServerKit
import ServiceLifecycle

/// The first step of a shutdown: the health endpoint says that no more requests should come, and for a while the site
/// still answers those that do, until whoever sends them has noticed.
struct Draining: Service {
    private let time: Duration
    private let site: Site

    /// Makes the step; it takes at most a day.
    init(_ site: Site, time: Duration) { (self.site, self.time) = (site, min(time, .seconds(86_400))) }

    func run() async throws {
        try? await gracefulShutdown()
        site.drain()
        // The time is a promise to the balancer in front, and no guess at how long anything takes.
        try? await Task.sleep(for: time)
    }
}
