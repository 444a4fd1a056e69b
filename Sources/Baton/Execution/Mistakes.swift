extension LogEvent {
    /// True if the event says that the program is wrong: its generated code is older than its documents, a name is
    /// misspelled, a change was lost, an answer breaks a specification, or a frame is never drawn again.
    ///
    /// In a debug build an environment that was made without a log writes such events to standard error.
    public var isMistake: Bool { mistake != nil }

    /// The kind of mistake; nil if the event is none.
    var mistake: Mistake? {
        switch self {
        case .typeChanged: .typeChanged
        case .irregularAnswer: .irregularAnswer
        case .unknownName(let event): event.isMistake ? .unknownName : nil
        case .staleGeneratedCode: .staleGeneratedCode
        case .changeDropped: .changeDropped
        case .updateFailed(let event): event.isLost ? .updateFailed : nil
        case .fetchStarted, .fetchShared, .fetchFinished, .fetchFailed, .fetchCancelled, .refreshed, .checked,
            .published, .delivered, .missingData, .missingRequiredField, .resultTooLarge, .collected, .eventDropped:
            nil
        }
    }
}

/// A kind of mistake in a program, of which an environment without a log writes one.
enum Mistake: Sendable, Hashable {
    case typeChanged
    case irregularAnswer
    case unknownName
    case updateFailed
    case staleGeneratedCode
    case changeDropped
}

extension UnknownNameEvent {
    /// False for a field that no operation selects and that resembles none: only updates may use it, and it would take
    /// the place of the one line that is written of a misspelled name.
    var isMistake: Bool {
        if case .uncheckedField = name { false } else { true }
    }
}

extension UpdateFailureEvent {
    /// True if the store refused a change, or if nobody is thrown the error: that of an optimistic change.
    var isLost: Bool {
        switch source {
        case .optimistic, .revert: true
        case .answer, .update, .invalidation, .reset, .missingFieldHandlers, .restore: isRefused
        }
    }
}

/// A log event: nobody is told when the frame changes, because its ``TrackedChange`` was released unused.
public struct DroppedChangeEvent: Sendable, Hashable {
    /// The name of the first operation or fragment that the frame has read.
    public let component: String
}

#if DEBUG
    /// Writes to standard error what an environment without a log would tell nobody: the first mistake of each kind.
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
