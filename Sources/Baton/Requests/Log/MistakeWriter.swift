#if DEBUG
    /// Writes the first mistake of each kind to standard error, for an environment without a log.
    ///
    /// State: guarded by a lock of its own, a leaf.
    final class MistakeWriter: Sendable {
        private let written = Guarded<Set<Mistake>>([])

        func write(_ event: LogEvent) {
            guard let mistake = event.mistake, written.withLock({ $0.insert(mistake).inserted }) else { return }
            LogPrinter.write(
                LogPrinter.line("baton: \(event.description)")
                    + "\nbaton: More of this kind is not written. Give the environment a log to see all: "
                    + "'log: LogPrinter().print', or 'log: { _ in }' to see nothing.\n", to: 2)
        }
    }
#endif
