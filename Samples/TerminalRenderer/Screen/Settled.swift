/// A value that follows another one once that has rested, so that not each key costs a request.
///
///     private let words: Settled<String>                  // Settled("", in: screen)
///
///     TextField(input) { [self] in words.follow(input.text, after: .milliseconds(100)) }
///     search.get(text: words.value)
///
/// The time is that of the screen's clock. When the value has changed after a time, the components of the screen are
/// asked again.
@MainActor
public final class Settled<Value: Equatable & Sendable> {
    /// The value that has rested.
    public private(set) var value: Value
    private weak var screen: Screen?
    private var target: Value
    private var pause: Task<Void, Never>?

    /// Makes a value that follows others.
    public init(_ value: Value, in screen: Screen) { (self.value, self.screen, target) = (value, screen, value) }

    deinit { pause?.cancel() }

    /// Follows a new value after a time, or at once without one. Another value meanwhile begins the time anew.
    public func follow(_ target: Value, after time: Duration = .zero) {
        guard target != self.target || time <= .zero && value != target else { return }
        self.target = target
        pause?.cancel()
        guard time > .zero else {
            value = target
            return
        }
        pause = Task { [weak self, screen] in
            guard (try? await screen?.pause(for: time)) != nil else { return }
            self?.value = target
            screen?.changed()
        }
    }
}
