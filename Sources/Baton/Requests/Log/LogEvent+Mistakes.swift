extension LogEvent {
    /// True if the event shows a mistake in the program or the server: generated code is older than its documents, a
    /// name is misspelled, a change was lost, a response breaks a specification, a frame is never drawn again, or Baton
    /// is misused.
    ///
    /// In a debug build an environment that was made without a log writes such events to standard error.
    public var isMistake: Bool { mistake != nil }

    /// The kind of mistake; nil if the event is no mistake.
    var mistake: Mistake? {
        switch self {
        case .typeChanged: .typeChanged
        case .irregularResponse: .irregularResponse
        case .unknownName(let event): event.isMistake ? .unknownName : nil
        case .staleGeneratedCode: .staleGeneratedCode
        case .changeDropped: .changeDropped
        case .misuse(let misuse): .misuse(misuse)
        case .updateFailed(let event): event.isLost ? .updateFailed : nil
        case .fetchStarted, .fetchShared, .fetchFinished, .fetchFailed, .fetchCancelled, .refreshed, .checked,
            .published, .delivered, .missingData, .missingRequiredField, .resultTooLarge, .collected, .eventDropped,
            .subscriptionRestored, .persistence:
            nil
        }
    }
}

extension LogEvent.UnknownName {
    /// False for a field that no operation selects and that resembles no other field, and for a record that resembles
    /// no other. Only updates may use such a field. A record may be fetched later, or never, if a response deletes it.
    /// Only one unknown name is written to standard error, and it should be a misspelled one.
    var isMistake: Bool {
        switch name {
        case .uncheckedField: false
        case .record: !near.isEmpty
        case .field, .connection, .rootFieldArguments: true
        }
    }
}

extension LogEvent.UpdateFailure {
    /// True if the store refused a change, or if no caller gets the error, as for an optimistic change.
    var isLost: Bool {
        switch source {
        case .optimistic, .revert: true
        case .response, .update, .invalidation, .reset, .missingFieldHandlers, .restore: isRefused
        }
    }
}
