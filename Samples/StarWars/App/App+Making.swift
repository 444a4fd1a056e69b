import Baton
import TerminalRenderer

extension App {
    /// Makes the application on the service of a URL, or on the embedded one.
    static func make(url: String?, clock: some Clock<Duration>, colorMode: ColorMode = .trueColor) throws -> App {
        let log = EventLog()
        let network = try SampleNetwork.make(url: url, clock: clock)
        let environment = RelayEnvironment(network: network, clock: clock) { log.record($0) }
        let screen = Screen(environment, theme: SampleTheme.theme, colorMode: colorMode, clock: clock)
        log.onChange { [weak screen] in screen?.needsDisplay() }
        let app = App(in: screen, log: log, network: network)
        screen.show(app)
        return app
    }

    var environment: RelayEnvironment { screen.environment }

    /// Makes a handle that shows what the store has, and fetches again after the network has returned.
    func query<Query: GraphQLQuery>() -> QueryHandle<Query> {
        QueryHandle(in: environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
    }
}
