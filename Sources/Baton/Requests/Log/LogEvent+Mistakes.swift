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

extension LogEvent.UnknownName {
    /// False for a field that no operation selects and that resembles none: only updates may use it, and it would take
    /// the place of the one line that is written of a misspelled name.
    var isMistake: Bool {
        if case .uncheckedField = name { false } else { true }
    }
}

extension LogEvent.UpdateFailure {
    /// True if the store refused a change, or if nobody is thrown the error: that of an optimistic change.
    var isLost: Bool {
        switch source {
        case .optimistic, .revert: true
        case .answer, .update, .invalidation, .reset, .missingFieldHandlers, .restore: isRefused
        }
    }
}
