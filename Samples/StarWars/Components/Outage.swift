import TerminalRenderer

extension ConditionedNetwork {
    /// The state of a cable that is out, although no request has found it out yet; nil if it is in.
    @MainActor
    func outage(in frame: Frame) -> Text? {
        guard let rest = outageLeft else { return nil }
        frame.wakeUp(after: min(rest, .seconds(1)))
        let seconds = Int((rest / .seconds(1)).rounded(.up))
        return Text("\u{25CF} unplugged, \(seconds) s ", .color(SampleTheme.red).bold)
    }
}
