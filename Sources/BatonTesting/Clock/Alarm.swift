import Baton

/// Rings after a time by the clock of the machine, which is longer on a machine that gives the tasks of the program no
/// turns.
///
/// It ends a wait for something that does not come; what does come ends the wait before. Every method may be called
/// from any thread.
///
/// State: whether it has rung, and its task, each guarded by a lock of its own, a leaf.
final class Alarm: Sendable {
    private let duration: Duration
    private let ring: @Sendable () -> Void
    private let rung = Guarded(false)
    private let task = Guarded<Task<Void, Never>?>(nil)

    var hasRung: Bool { rung.withLock(\.self) }

    init(after duration: Duration, _ ring: @escaping @Sendable () -> Void) {
        self.duration = duration
        self.ring = ring
    }

    /// Starts the time, once.
    func start() {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [self] in
                for _ in 0..<100 {
                    try? await BoundedTime.sleep(for: duration / 100, on: ContinuousClock())
                    if Task.isCancelled { return }
                }
                rung.withLock { $0 = true }
                ring()
            }
        }
    }

    func stop() { task.withLock(\.self)?.cancel() }
}
