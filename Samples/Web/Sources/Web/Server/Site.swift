import Baton
import HTML
import Synchronization

/// What lives as long as the server: the data that all visitors share, who is signed in, and what was submitted.
final class Site: Sendable {
    let shared: SharedEnvironment
    let telemetry: Telemetry
    let sessions: any SessionKeeper
    let submissions = Submissions()
    /// The pages of those who are not signed in.
    let kept: KeptPages
    /// The reviews in pages that are open.
    let live: LiveReviews
    private let drains = Atomic(false)

    /// - Parameters:
    ///   - network: Leads to the GraphQL server, which may be down: then there are pages that say so.
    ///   - hasSubscriptions: Whether the network has subscriptions; without them, pages that are open are kept fresh by
    ///     polling.
    ///   - freshFor: The age until which data is shown without a look whether another instance has changed it.
    ///   - telemetry: How the site is watched.
    ///   - sessions: Who is signed in.
    init(
        network: any NetworkLayer, hasSubscriptions: Bool = false, freshFor: Duration, telemetry: Telemetry,
        sessions: any SessionKeeper = Sessions()
    ) {
        (self.telemetry, self.sessions) = (telemetry, sessions)
        let options = StoreOptions(memoryBudget: 256 << 20)
        let ages = SharedEnvironment.Ages(
            fresh: freshFor, usable: .seconds(120), pause: .seconds(1), timeout: .seconds(2))
        shared = SharedEnvironment(
            RelayEnvironment(network: telemetry.watching(network), options: options, log: telemetry.log), ages: ages,
            capacity: 500)
        kept = KeptPages(shared: shared)
        live = LiveReviews(
            source: ReviewSource(
                shared.environment, hasSubscriptions: hasSubscriptions, logger: telemetry.logger))
    }

    /// True once the site is to end: then no connection is kept.
    var isDraining: Bool { drains.load(ordering: .relaxed) }

    func drain() { drains.store(true, ordering: .relaxed) }

    /// Makes the visit of a request: an environment of its own, with the data that the page needs and the marks of the
    /// visitor.
    func visit(_ queries: [any GraphQLQuery], _ request: PageRequest) async throws(PageError) -> Visit {
        do throws(RelayError) {
            let environment = try await shared.environment(with: queries)
            mark(request.visitor, in: environment)
            return Visit(
                environment: environment, visitor: request.visitor, address: request.address,
                hasHoles: queries.contains { !shared.errors(of: $0).isEmpty }, isThanked: request.isThanked)
        } catch {
            throw PageError(error.publicFailure)
        }
    }

    /// Writes the visitor's favourites, a field that only this site knows, into the environment of one request.
    private func mark(_ visitor: Visitor?, in environment: RelayEnvironment) {
        guard let visitor, !visitor.favorites.isEmpty else { return }
        _ = try? environment.update { store in
            for id in visitor.favorites { try store.get("Film", id: id)?.setValue(.bool(true), forField: "isMine") }
        }
    }

    /// A visit for a page that needs no data.
    func visit(_ request: PageRequest) -> Visit {
        let environment = RelayEnvironment(network: NoNetwork(), log: { _ in })
        return Visit(environment: environment, visitor: request.visitor, address: request.address)
    }
}

/// The network of pages that need no data.
private struct NoNetwork: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.noResponse }
}
