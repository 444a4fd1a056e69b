import TerminalRenderer

/// A value that follows another one once that has rested, so that each key does not cost a request.
@MainActor
final class Settled<Value: Equatable & Sendable> {
    private(set) var value: Value
    private var target: Value
    private var pause: Task<Void, Never>?

    init(_ value: Value) { (self.value, target) = (value, value) }

    /// Follows a new value after a time. The first value of a kind, such as the first row, is followed at once.
    func follow(_ target: Value, after time: Duration, in session: Session) {
        guard target != self.target else { return }
        self.target = target
        pause?.cancel()
        guard time > .zero else {
            value = target
            return
        }
        pause = Task { [weak session] in
            try? await session?.sleep(time)
            guard !Task.isCancelled else { return }
            value = target
            session?.screen?.changed()
        }
    }
}
