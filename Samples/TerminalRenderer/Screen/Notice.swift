/// A text that is shown for some time, such as what a key has done.
///
///     notice.show(Text("Copied", .color(.green)), for: .seconds(4))
///
///     notice.text ?? Text(name, .dim)
///
/// The time is that of the screen's clock. When it is over, the components of the screen are asked again.
@MainActor
public final class Notice {
    /// The text; nil if there is none now.
    public private(set) var text: Text?
    private weak var screen: Screen?
    private var end: Task<Void, Never>?

    /// Makes a notice without a text.
    public init(in screen: Screen) { self.screen = screen }

    deinit { end?.cancel() }

    /// Shows a text in place of the one before.
    public func show(_ text: Text, for time: Duration) {
        self.text = text
        end?.cancel()
        end = Task { [weak self, screen] in
            guard (try? await screen?.pause(for: time)) != nil else { return }
            self?.hide()
        }
        screen?.changed()
    }

    /// Hides the text at once.
    public func hide() {
        end?.cancel()
        text = nil
        screen?.changed()
    }
}
