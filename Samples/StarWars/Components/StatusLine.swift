import TerminalRenderer

/// The last lines: what the last publish has changed and drawn, and the keys.
final class StatusLine: Component {
    private unowned let app: App
    /// The publish of the frame before, and when it was first seen as it is.
    private var seen: (publish: EventLog.Publish?, time: Duration) = (nil, .zero)

    init(in app: App) { self.app = app }

    var content: any Element {
        Column {
            Live { [self] frame in
                if let failure = app.log.mutationFailure {
                    return Text(" \u{2717} " + failure, .color(SampleTheme.red))
                }
                let width = frame.canvas.size.width - 2
                let texts = app.log.texts(isSettled: isSettled(in: frame))
                let text = texts.first { $0.displayWidth <= width } ?? texts.last ?? ""
                return Text(" " + text, .color(SampleTheme.green))
            }
            KeyHints(hints, always: isTyping ? [] : [("?", "help"), ("q", "quit")]).padding(horizontal: 1)
        }
    }

    /// True if the number of drawn components does not grow any more: what is told and on the screen is drawn within a
    /// frame or two.
    private func isSettled(in frame: Frame) -> Bool {
        let publish = app.log.publish
        if publish != seen.publish { seen = (publish, frame.time) }
        guard let publish, publish.componentsRendered < publish.componentsTold else { return true }
        let rest = seen.time + .milliseconds(200) - frame.time
        if rest > .zero { frame.wakeUp(after: rest) }
        return rest <= .zero
    }

    private var isTyping: Bool { app.tab == .search && !app.isDetailFocused && app.search.isTyping }

    private var hints: [(key: String, word: String)] {
        if isTyping {
            return [("enter", "results"), ("esc", "back"), ("ctrl-u", "clear")]
        }
        let hasFilms = app.tab == .films && !app.isDetailFocused
        let film: [(key: String, word: String)] = [("s", "star"), ("w", "review"), ("f", "filter")]
        return [("j/k", "move"), ("enter", "open")] + (hasFilms ? film : [("esc", "back")])
            + [("/", "search"), ("e", "unplug")]
    }
}
