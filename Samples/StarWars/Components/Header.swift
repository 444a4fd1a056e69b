import BatonHTTP
import TerminalRenderer

/// The first line: the program, its lists, and whether the service can be reached.
final class Header: Component {
    private unowned let app: App
    private let ticker: ReviewTicker

    init(in app: App) {
        self.app = app
        ticker = ReviewTicker(in: app)
    }

    var content: any Element {
        Sizing { [self] size in
            let isNarrow = size.width < 64
            Row(gap: 2) {
                Text.badge(isNarrow ? "SW" : "STAR WARS", SampleTheme.crawl, isBold: true)
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

    private func state(in frame: Frame) -> any Element {
        let (status, wait) = (app.connectivity.status, app.connectivity.timeToProbe ?? .zero)
        if status.outage != nil {
            // The seconds are counted down.
            if wait > .zero { frame.wakeUp(after: max(.milliseconds(50), min(wait, .seconds(1)))) }
            let seconds = status.requestsInFlight > 0 ? 0 : Int((wait / .seconds(1)).rounded(.up))
            let text = seconds == 0 ? "offline, trying" : "offline, again in \(seconds) s"
            return Text("\u{25CF} " + text + " ", .color(SampleTheme.red).bold)
        }
        if status.requestsInFlight > 0 {
            return Row(gap: 1) {
                Spinner()
                Text.faint("loading ")
            }
        }
        return app.network.outage(in: frame)
            ?? Text("\u{25CF} ", .color(SampleTheme.green)) + Text.faint("online ")
    }
}
