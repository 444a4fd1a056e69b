import Baton
import TerminalRenderer

/// The root of the screen: which list is on the left, what is open on the right, and the keys that hold everywhere.
final class App: Component {
    enum Tab: Int, CaseIterable {
        case films, characters, search
    }

    enum Overlay {
        case help
        case review(ReviewForm)
    }

    let log: EventLog
    let network: ConditionedNetwork
    private(set) var tab = Tab.films
    /// True if the right pane has the focus; on a narrow screen it is then the only one.
    var isDetailFocused = false
    var overlay: Overlay?
    /// Changed to fetch again.
    private(set) var fetchKey: Int?
    let screen: Screen
    private(set) lazy var films = FilmList(in: self)
    private(set) lazy var characters = CharacterList(in: self)
    private(set) lazy var search = SearchList(in: self)
    private lazy var detail = DetailPane(in: self)
    private lazy var header = Header(in: self)
    private lazy var status = StatusLine(in: self)

    init(in screen: Screen, log: EventLog, network: ConditionedNetwork) {
        (self.screen, self.log, self.network) = (screen, log, network)
    }

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

    /// The list on the left.
    var list: any ListPane {
        switch tab {
        case .films: films
        case .characters: characters
        case .search: search
        }
    }

    var content: any Element {
        Column {
            header
            Sizing { [self] size in
                if size.width >= 76 {
                    Row {
                        list.element.frame(width: min(48, size.width * 2 / 5))
                        detail.element.filling()
                    }
                } else if isDetailFocused {
                    detail
                } else {
                    list
                }
            }
            status
        }
        .onKey { [self] in press($0) }
        .overlay(overlayContent)
    }

    private var overlayContent: (any Element)? {
        switch overlay {
        case .help: Help.content { [self] in overlay = nil }
        case .review(let form): form.element
        case nil: nil
        }
    }
}

extension App {
    /// Shows a list on the left.
    func open(_ tab: Tab) {
        (self.tab, isDetailFocused) = (tab, false)
        detail.closeAll()
        if tab == .search { search.beginTyping() }
    }

    /// Opens a place on the right, above what is open there.
    func open(_ place: Place) {
        detail.open(place)
        isDetailFocused = true
    }

    /// Closes what was opened last, then gives the focus to the list, then leaves the search.
    func goBack() {
        if isDetailFocused, detail.close() { return }
        if isDetailFocused {
            isDetailFocused = false
        } else if tab == .search {
            tab = .films
        }
    }

    /// Fetches what is shown again.
    func refetch() {
        fetchKey = (fetchKey ?? 0) + 1
        retry()
    }

    /// Fetches again what has failed.
    func retry() {
        environment.networkReturned()
        list.retry()
        detail.retry()
    }

    /// Opens the form for a review of a film.
    func review(_ film: Place?, title: String) {
        guard case .film(let id) = film else { return }
        overlay = .review(ReviewForm(of: id, title: title, in: self))
    }

    /// Sends a mutation. Its changes arrive through the store, and a failure through the log.
    func commit<Mutation: GraphQLMutation>(_ mutation: Mutation, optimistic: JSONValue? = nil) {
        log.expectMutation()
        Task { [environment] in
            _ = try? await environment.commit(mutation, optimistic: optimistic.map { .response($0) })
        }
    }
}

/// A list on the left of the screen.
protocol ListPane: Component {
    /// What the selected row leads to.
    var place: Place? { get }

    /// Loads again what has failed.
    func retry()
}
