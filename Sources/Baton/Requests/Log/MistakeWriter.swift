#if DEBUG
    /// Writes the first mistake of each kind to standard error, for an environment without a log. A misuse is written
    /// once for each place.
    ///
    /// State: guarded by a lock of its own, a leaf.
    final class MistakeWriter: Sendable {
        private let written = Guarded<Set<Mistake>>([])

        func write(_ event: LogEvent) {
            guard let mistake = event.mistake, written.withLock({ $0.insert(mistake).inserted }) else { return }
            LogPrinter.write(
                LogPrinter.line("baton: \(event.description)")
                    + "\nbaton: \(mistake.rest). Give the environment a log to "
                    + "see all: 'log: LogPrinter().print', or 'log: { _ in }' to see nothing.\n", to: 2)
        }
    }

    extension Mistake {
        /// What is not written after this one.
        fileprivate var rest: String {
            if case .misuse = self { "This is written once for this place" } else { "More of this kind is not written" }
        }
    }
#endif

/// A kind of mistake in a program. An environment without a log writes one mistake of each kind.
enum Mistake: Sendable, Hashable {
    case typeChanged
    case irregularResponse
    case unknownName
    case updateFailed
    case staleGeneratedCode
    case changeDropped
    /// A misuse is written once for each place.
    case misuse(LogEvent.Misuse)
}
