// Descriptions of events for a person, one line each.

extension LogEvent: CustomStringConvertible {
    /// The event in one line, or in several if it contains an error with several lines.
    public var description: String {
        switch self {
        case .fetchStarted(let event): "\(event), is sent\(event.conditions)"
        case .fetchShared(let event): "\(event), is shared by somebody else\(event.conditions)"
        case .fetchFinished(let event, let errors):
            errors.isEmpty
                ? "\(event), was answered after \(event.duration.short)"
                : "\(event), was answered after \(event.duration.short) with \(errors.count.of("error")): "
                    + errors.text
        case .fetchFailed(let event, let error): "\(event), failed after \(event.duration.short): \(error)"
        case .fetchCancelled(let event): "\(event), was cancelled after \(event.duration.short)"
        case .refreshed(let event): event.description
        case .checked(let event): event.description
        case .published(let event): event.description
        case .delivered(let event): event.description
        case .changeDropped(let event): event.description
        case .misuse(let event): event.description
        case .missingData(let event): event.description
        case .missingRequiredField(let event): event.description
        case .resultTooLarge(let event): event.description
        case .collected(let event): event.description
        case .persistence(let event): event.description
        case .typeChanged(let event): event.description
        case .irregularResponse(let event): event.description
        case .unknownName(let event): event.description
        case .staleGeneratedCode(let event): event.description
        case .updateFailed(let event): event.description
        case .subscriptionRestored(let fetch): "\(fetch) has its connection back; events may have been missed"
        case .eventDropped(let event):
            "an event of 'subscription \(event.operationName)' was dropped, because its reader is too slow"
        }
    }
}

extension LogEvent.Fetch: CustomStringConvertible {
    /// Example: `query 'Films', request 3`
    public var description: String { "\(kind.rawValue) '\(operationName)', request \(request)" }

    /// The policy and the fetch key of the request, if they are known.
    fileprivate var conditions: String {
        let parts = [policy.map { "\($0)" }, fetchKey.map { "fetch key \($0)" }].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

extension LogEvent.Refresh: CustomStringConvertible {
    /// Example: `'Films' is fetched again by itself: its data was invalidated`
    public var description: String { "'\(operationName)' is fetched again by itself: \(cause)" }
}

extension LogEvent.Refresh.Cause: CustomStringConvertible {
    /// The cause for a person; not a whole sentence.
    public var description: String {
        switch self {
        case .invalidation: "its data was invalidated"
        case .missingData: "a field is missing"
        case .networkReturned: "the network has returned"
        case .applicationReturned: "the application has returned"
        case .reconnected: "a subscription may have missed events"
        case .poll: "it polls"
        }
    }
}

extension LogEvent.Check: CustomStringConvertible {
    /// Example: `'Films' is missing hero.name (Human 1000, name)`
    public var description: String {
        switch availability {
        case .available(let age): "'\(operationName)' is available\(age.map { ", fetched \($0.short) ago" } ?? "")"
        case .stale(let reason): "'\(operationName)' is stale: \(reason)"
        case .missing(let place): "'\(operationName)' is missing \(place)"
        }
    }
}

extension Staleness: CustomStringConvertible {
    /// The reason for a person; not a whole sentence.
    public var description: String {
        switch self {
        case .storeInvalidated: "everything was invalidated since it was fetched"
        case .operationInvalidated: "the operation was invalidated since it was fetched"
        case .recordInvalidated(let id): "the record '\(id)' was invalidated since it was fetched"
        case .typeInvalidated(let type, let id): "the type '\(type)' of '\(id)' was invalidated since it was fetched"
        case .tooOld(let place?, let age, let limit): "\(place) is \(age) old, and its limit is \(limit)"
        case .tooOld(nil, let age, let limit): "it is \(age) old, and its limit is \(limit)"
        }
    }
}

extension LogEvent.Publish: CustomStringConvertible {
    /// Example, printed in one line:
    ///
    ///     publish 12, query 'Films', request 3: wrote 20 records, changed 4;
    ///     told 2 of 5 components; took 0.31 ms (normalizing 0.2 ms)
    public var description: String {
        let normalizing = normalizing.map { ", after \($0.short) of normalizing" } ?? ""
        return "publish \(number), \(source): wrote \(recordsWritten.of("record")), changed \(recordsChanged); "
            + "told \(componentsNotified) of \(componentsChecked.of("component")); took \(duration.short)\(normalizing)"
    }
}

extension LogEvent.Publish.Source: CustomStringConvertible {
    /// The cause of the publish, for a person.
    public var description: String {
        switch self {
        case .response(let name, 0): "a payload for '\(name)'"
        case .response(let name, let request): "the response of '\(name)', request \(request)"
        case .update: "a local update"
        case .optimistic(let name): name.map { "an optimistic change of '\($0)'" } ?? "an optimistic change"
        case .revert(let name):
            name.map { "the end of an optimistic change of '\($0)'" } ?? "the end of an optimistic change"
        case .invalidation: "an invalidation"
        case .reset: "a reset"
        case .missingFieldHandlers: "missing-field handlers"
        case .restore: "a restored snapshot"
        }
    }
}

extension LogEvent.Delivery: CustomStringConvertible {
    /// Example: `'FilmRow_film' was told of publish 12`
    public var description: String {
        switch cause {
        case .registration: "an observer of '\(component)' was told what there is"
        case .storeChange: "an observer of '\(component)' was told of \(publish.map { "publish \($0)" } ?? "a change")"
        case .handle: "an observer of '\(component)' was told of another state"
        }
    }
}

extension LogEvent.DroppedChange: CustomStringConvertible {
    /// The lost change, and the advice to keep it.
    public var description: String {
        "the frame that has read '\(component)' is never drawn again: its TrackedChange was released unused. "
            + "Keep it, and call deliver or wait; or call cancel() if nobody is to be told"
    }
}

extension LogEvent.MissingData: CustomStringConvertible {
    /// Example: `'FilmRow_film' is missing film.title (Film 2, title), which 'Films' should have fetched`
    public var description: String {
        component == operationName
            ? "'\(component)' is missing \(location)"
            : "'\(component)' is missing \(location), which '\(operationName)' should have fetched"
    }
}

extension LogEvent.MissingRequiredField: CustomStringConvertible {
    /// Example: `'FilmRow_film' has no value for title, which is @required`
    public var description: String {
        "'\(component)' has no value for \(FieldLocation(path: path)), which is @required"
    }
}

extension LogEvent.ResultTooLarge: CustomStringConvertible {
    /// Example: `'Graph_node' of 'GraphQuery' was not read, because its data needs more than 268435456 bytes`
    public var description: String {
        let owner = component == operationName ? "" : " of '\(operationName)'"
        return "'\(component)'\(owner) was not read, because its data needs more than \(limit) bytes"
    }
}

extension LogEvent.Collection: CustomStringConvertible {
    /// Example: `a collection (release) took 40 records and left 300; 2 slices, the longest 0.4 ms`
    public var description: String {
        let fields = fieldsDropped > 0 ? " and \(fieldsDropped.of("field"))" : ""
        return "a collection (\(cause)) took \(recordsCollected.of("record"))\(fields), and left \(recordsKept); "
            + "\(slices.of("slice")), the longest \(longestSlice.short)"
    }
}

extension LogEvent.TypeChange: CustomStringConvertible {
    /// The old and the new type, and the usual cause.
    public var description: String {
        "the record '\(dataID)' was a \(oldType), and is a \(newType) since publish \(publish): "
            + "mostly two objects have the same ID"
    }
}

extension LogEvent.IrregularResponse: CustomStringConvertible {
    /// The irregularities of the response.
    public var description: String {
        "the response of '\(operationName)', request \(request), was read although "
            + irregularities.prefix(10).map(\.description).joined(separator: "; ")
            + (irregularities.count > 10 ? "; and \(irregularities.count - 10) more" : "")
    }
}

extension LogEvent.UpdateFailure: CustomStringConvertible {
    /// The source of the update, and its error.
    public var description: String { "the update of \(source) failed, so nothing of it was kept: \(error)" }
}

extension Int {
    /// Example: `1 record`, `2 records`.
    fileprivate func of(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}

extension Duration {
    /// The duration with few digits: `12 ms`, `0.31 ms`, `2.5 s`.
    fileprivate var short: String {
        let milliseconds = self / .milliseconds(1)
        if milliseconds >= 1_000 { return "\((milliseconds / 100).rounded() / 10) s" }
        if milliseconds >= 10 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds * 100).rounded() / 100) ms"
    }
}
