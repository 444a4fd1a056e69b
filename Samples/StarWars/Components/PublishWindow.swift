import TerminalRenderer

/// A window with the last publishes, the newest first: what each has changed, and how many components were told and
/// drawn.
enum PublishWindow {
    @MainActor
    static func element(_ log: EventLog, _ state: ListState, close: @escaping @MainActor () -> Void) -> any Element {
        Live { _ in
            let publishes = log.publishes
            return Box("Publishes", note: "\(publishes.count)", footer: "j k scroll, esc closes", isFocused: true) {
                List(publishes, state) { publish, _ in row(publish) }
            }
        }
        .onKey { key in
            guard [.character("p"), .enter].contains(key) else { return false }
            close()
            return true
        }
        .limited(width: 90, height: 20)
    }

    @MainActor
    private static func row(_ publish: EventLog.Publish) -> any Element {
        let text = EventLog.texts(publish, isSettled: true).first ?? ""
        return Row(gap: 1) {
            Text("\(publish.number)", .dim).aligned(.right).frame(width: 4)
            Text(text, publish.isNews ? .color(SampleTheme.green) : .dim).filling(height: 0)
        }
    }
}
