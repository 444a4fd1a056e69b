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
                if let notice = notice(in: frame) { return notice }
                let width = frame.canvas.size.width - 2
                let texts = app.log.texts(isSettled: isSettled(in: frame))
                let text = texts.first { $0.displayWidth <= width } ?? texts.last ?? ""
                return Text(" " + text, .color(SampleTheme.green))
            }
            // The panes above are drawn first, and what they show decides on the keys.
            Live { [self] _ in KeyHints(app.hints, always: app.lastingHints) }.padding(horizontal: 1)
        }
    }

    /// What is told now; nil if its time is over, or what it waited for has come.
    private func notice(in frame: Frame) -> Text? {
        if let before = app.publishBeforeNotice, before < app.log.publish?.number ?? 0 { return nil }
        return app.notice.text(in: frame)
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
}
