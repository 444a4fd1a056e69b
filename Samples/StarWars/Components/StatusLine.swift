import TerminalRenderer

/// The last lines: what the last publish has changed and drawn, and the keys.
///
/// A publish that has changed something is shown for some time, or until the next input: the answer to what an
/// optimistic change has shown comes soon after it, and mostly has nothing new. The window has all publishes.
final class StatusLine: Component {
    private unowned let app: App
    /// The publish of the frame before, and when it was first seen as it is.
    private var seen: (publish: EventLog.Publish?, time: Duration) = (nil, .zero)
    /// The publish that is shown, when it was shown first, and the number of inputs by then.
    private var shown: (number: Int, time: Duration, inputs: Int)?
    /// The time for which a publish that has changed something stays before one that has not.
    private static let hold = Duration.seconds(4)
    /// The time for which it stays before another one that has changed something.
    private static let shortHold = Duration.seconds(1)

    init(in app: App) { self.app = app }

    var content: any Element {
        Column {
            Live { [self] frame in
                if let notice = notice(in: frame) { return notice }
                let width = frame.canvas.size.width - 2
                guard let publish = publish(in: frame) else { return Self.line("nothing published yet") }
                let texts = EventLog.texts(publish, isSettled: isSettled(publish, in: frame))
                let text = texts.first { $0.displayWidth <= width } ?? texts.last ?? ""
                return Self.line(text)
            }
            // The panes above are drawn first, and what they show decides on the keys.
            Live { [self] _ in KeyHints(app.hints, always: app.lastingHints) }.padding(horizontal: 1)
        }
    }

    private static func line(_ text: String) -> Text { Text(" " + text, .color(SampleTheme.green)) }

    /// The publish to show; nil before the first one.
    private func publish(in frame: Frame) -> EventLog.Publish? {
        let publishes = app.log.publishes
        let last = publishes.first { $0.number == shown?.number }
        let isWithoutInput = shown?.inputs == app.screen.inputs
        // A publish with news is not passed over for one without.
        let news = publishes.first { $0.isNews && $0.number > last?.number ?? 0 }
        guard let next = (isWithoutInput ? news : nil) ?? publishes.first else { return nil }
        if let shown, let last, last.number != next.number, last.isNews, last.componentsRendered >= last.componentsTold,
            isWithoutInput
        {
            let rest = shown.time + (next.isNews ? Self.shortHold : Self.hold) - frame.time
            if rest > .zero {
                frame.wakeUp(after: rest)
                return last
            }
        }
        if shown?.number != next.number { shown = (next.number, frame.time, app.screen.inputs) }
        return next
    }

    /// What is told now; nil if its time is over, or what it waited for has come.
    private func notice(in frame: Frame) -> Text? {
        if let before = app.publishBeforeNotice, before < app.log.publish?.number ?? 0 { return nil }
        return app.notice.text(in: frame)
    }

    /// True if the number of drawn components does not grow any more: what is told and on the screen is drawn within a
    /// frame or two.
    private func isSettled(_ publish: EventLog.Publish, in frame: Frame) -> Bool {
        if publish != seen.publish { seen = (publish, frame.time) }
        guard publish.componentsRendered < publish.componentsTold else { return true }
        let rest = seen.time + .milliseconds(200) - frame.time
        if rest > .zero { frame.wakeUp(after: rest) }
        return rest <= .zero
    }
}
