import Baton
import BatonHTTP
import BatonSQLite
import Foundation
import TerminalRenderer

extension App {
    /// The longest pauses, which are the same on every run.
    struct NoJitter: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    /// Makes the application on the service of a URL, or on the embedded one. `store` is the path of the file that
    /// keeps its records.
    static func make(
        url: String?, store: String? = nil, clock: some Clock<Duration>, colorMode: ColorMode = .trueColor,
        random: any RandomNumberGenerator & Sendable = NoJitter()
    ) throws -> App {
        let log = EventLog()
        let network = try SampleNetwork.make(url: url, clock: clock)
        let connectivity = ConnectivityInterceptor(
            ReconnectPolicy(maximumDelay: .seconds(3)), clock: clock, random: random)
        let environment = RelayEnvironment(
            network: network.intercepted(by: connectivity),
            persistence: store.map { SQLitePersistence(at: URL(fileURLWithPath: $0)) }, clock: clock
        ) {
            MistakeOutput.write($0)
            log.record($0)
        }
        connectivity.attach(to: environment)
        let screen = Screen(environment, theme: SampleTheme.theme, colorMode: colorMode, clock: clock)
        log.onChange { [weak screen] in screen?.needsDisplay() }
        screen.onDrawing { log.record($0) }
        screen.redraw(for: connectivity.statuses)
        let app = App(in: screen, log: log, network: network, connectivity)
        screen.show(app)
        return app
    }

    var environment: RelayEnvironment { screen.environment }

    /// Makes a handle that shows what the store has, and fetches again after the network has returned.
    func query<Query: GraphQLQuery>() -> QueryHandle<Query> {
        QueryHandle(in: environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
    }
}
