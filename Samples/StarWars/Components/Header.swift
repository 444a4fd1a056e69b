import TerminalRenderer

/// The first line: the program, its lists, and whether the service can be reached.
final class Header: Component {
    private unowned let app: App
    private let connection: Connection
    private let ticker: ReviewTicker

    init(in app: App) {
        self.app = app
        connection = Connection(app.log)
        ticker = ReviewTicker(in: app)
    }

    var content: any Element {
        Sizing { [self] size in
            let isNarrow = size.width < 64
            Row(gap: 2) {
                Text(isNarrow ? " SW " : " STAR WARS ", .color(.black).on(SampleTheme.crawl).bold)
                tab("1", "Films", .films, isNarrow)
                tab("2", "Characters", .characters, isNarrow)
                tab("/", "Search", .search, isNarrow)
                ticker.element.filling(height: 0)
                Live { [self] frame in state(in: frame) }
            }
        }
        .frame(height: 1)
    }

    private func tab(_ key: String, _ name: String, _ tab: App.Tab, _ isNarrow: Bool) -> any Element {
        let isOpen = app.tab == tab
        var text = Text(key, .color(SampleTheme.blue))
        if isOpen || !isNarrow {
            text += Text(" ") + Text(name, isOpen ? Style(isBold: true, isUnderlined: true) : .color(SampleTheme.faint))
        }
        return text.onClick { [app] in app.open(tab) }
    }

    private func retry() {
        app.retry()
        ticker.retry()
    }

    private func state(in frame: Frame) -> any Element {
        let wait = connection.timeToAttempt(in: frame) { retry() }
        if let wait {
            let seconds = Int((wait / .seconds(1)).rounded(.up))
            let text = seconds == 0 ? "offline, trying" : "offline, again in \(seconds) s"
            return Text("\u{25CF} " + text + " ", .color(SampleTheme.red).bold)
        }
        if app.log.requestsInFlight > 0 {
            return Row(gap: 1) {
                Spinner()
                Text.faint("loading ")
            }
        }
        return app.network.outage(in: frame)
            ?? Text("\u{25CF} ", .color(SampleTheme.green)) + Text.faint("online ")
    }
}
