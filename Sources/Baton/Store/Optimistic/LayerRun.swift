/// Marks the run of an optimistic updater, so that the updater does not run again because of its own publishes.
final class LayerRun: Sendable {
    @TaskLocal static var current: LayerRun?

    private let isRunning = Guarded(true)

    func end() { isRunning.withLock { $0 = false } }

    /// True if the caller is inside an optimistic updater.
    static var isInside: Bool { current?.isRunning.withLock { $0 } ?? false }
}
