import Baton
import BatonHTTP
import TerminalRenderer

/// The root of the screen: which list is on the left, what is open on the right, and the keys that hold everywhere.
final class App: Component {
    enum Tab: Int, CaseIterable {
        case films, characters, search
    }

    enum Overlay {
        case help
        case publishes
        case review(ReviewForm)
    }

    let log: EventLog
    let network: ConditionedNetwork
    let connectivity: ConnectivityInterceptor
    var tab = Tab.films
    /// True if the right pane has the focus; on a narrow screen it is then the only one.
    var isDetailFocused = false
    var overlay: Overlay?
    /// The list to which the search goes back.
    var tabBeforeSearch = Tab.films
    /// What was told last.
    let notice: Notice
    /// The last publish before the notice, if the next one ends it.
    var publishBeforeNotice: Int?
    /// The reviews that are being written, by film.
    var drafts: [String: ReviewDraft] = [:]
    /// The number of mutations whose end the application has noticed.
    var commitsEnded = 0
    /// Changed to fetch again.
    var fetchKey: Int?
    let screen: Screen
    private(set) lazy var films = FilmList(in: self)
    private(set) lazy var characters = CharacterList(in: self)
    private(set) lazy var search = SearchList(in: self)
    private(set) lazy var detail = DetailPane(in: self)
    private let help = ScrollState()
    let publishes = ListState()
    private lazy var header = Header(in: self)
    private lazy var status = StatusLine(in: self)

    init(in screen: Screen, log: EventLog, network: ConditionedNetwork, _ connectivity: ConnectivityInterceptor) {
        (self.screen, self.log, self.network, self.connectivity) = (screen, log, network, connectivity)
        notice = Notice(in: screen)
    }

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
                        list.element.frame(width: max(36, min(48, size.width * 2 / 5)))
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
        .overlay(overlayContent) { [self] in overlay = nil }
    }

    private var overlayContent: (any Element)? {
        switch overlay {
        case .help: KeyHelp(Help.keys, help) { [self] in overlay = nil }
        case .publishes: PublishWindow.element(log, publishes) { [self] in overlay = nil }
        case .review(let form): form.element
        case nil: nil
        }
    }
}
