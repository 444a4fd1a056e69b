/// A text that is shown for some time, such as what a key has done.
///
///     notice.show(Text("Copied", .color(.green)), for: .seconds(4))
///
///     Live { frame in notice.text(in: frame) ?? Text(name, .dim) }
///
/// The time is that of the frames, and begins with the first frame that asks for the text.
@MainActor
public final class Notice {
    private struct Shown {
        let text: Text
        let time: Duration
        /// Known from the first frame on.
        var end: Duration?
    }

    private weak var screen: Screen?
    private var shown: Shown?

    /// Makes a notice without a text.
    public init(in screen: Screen) { self.screen = screen }

    /// Shows a text in place of the one before.
    public func show(_ text: Text, for time: Duration) {
        shown = Shown(text: text, time: time)
        screen?.changed()
    }

    /// Hides the text at once.
    public func hide() {
        shown = nil
        screen?.changed()
    }

    /// The text in a frame; nil if there is none, or its time is over. Asks for a frame at its end.
    public func text(in frame: Frame) -> Text? {
        guard let shown else { return nil }
        let end = shown.end ?? frame.time + shown.time
        guard end > frame.time else {
            self.shown = nil
            return nil
        }
        self.shown?.end = end
        frame.wakeUp(after: end - frame.time)
        return shown.text
    }
}
