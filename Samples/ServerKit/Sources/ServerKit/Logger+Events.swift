public import Baton
public import Logging

extension Logger {
    /// Writes an event of an environment.
    ///
    ///     RelayEnvironment(network: network, log: { logger.log($0) })
    ///
    /// Messages are fixed texts, and the metadata holds names, numbers and kinds of errors: no variables, no data and
    /// no text of a server. Mistakes are warnings, failed requests are errors, and everything else is for debugging.
    ///
    /// - Parameter isDetailed: Whether the metadata has the whole description of the event too, which may repeat what a
    ///   user has typed.
    public func log(_ event: Baton.LogEvent, isDetailed: Bool = false) {
        let (level, message, parts) = Self.parts(event)
        guard level >= logLevel else { return }
        var metadata = parts
        if isDetailed { metadata["detail"] = "\(event)" }
        log(level: level, message, metadata: metadata)
    }

    private static func parts(_ event: Baton.LogEvent) -> (Level, Message, Metadata) {
        switch event {
        case .fetchStarted(let fetch): (.debug, "graphql request started", metadata(fetch))
        case .fetchShared(let fetch): (.debug, "graphql request shared", metadata(fetch))
        case .fetchFinished(let fetch, let errors):
            (
                errors.isEmpty ? .debug : .warning, "graphql request finished",
                metadata(fetch).merging(["graphql.errors": "\(errors.count)", "duration": "\(fetch.duration)"]) { $1 }
            )
        case .fetchFailed(let fetch, let error):
            (
                .error, "graphql request failed",
                metadata(fetch).merging(["error": "\(error.label)", "duration": "\(fetch.duration)"]) { $1 }
            )
        case .fetchCancelled(let fetch): (.debug, "graphql request cancelled", metadata(fetch))
        case .checked(let check):
            (.trace, "graphql store checked", ["graphql.operation.name": "\(check.operationName)"])
        case .published(let publish):
            (
                .trace, "graphql store changed",
                [
                    "records.written": "\(publish.recordsWritten)", "records.changed": "\(publish.recordsChanged)",
                    "components.notified": "\(publish.componentsNotified)",
                ]
            )
        case .delivered(let delivery): (.trace, "graphql component notified", ["component": "\(delivery.component)"])
        default:
            event.isMistake
                ? (.warning, "graphql mistake", metadata(ofMistake: event)) : (.debug, "graphql event", [:])
        }
    }

    /// A misuse is of the program alone; the texts of other mistakes may have values from a server.
    private static func metadata(ofMistake event: Baton.LogEvent) -> Metadata {
        let kind: Metadata = ["kind": "\(kind(of: event))"]
        guard case .misuse(let misuse) = event else { return kind }
        return kind.merging(["advice": "\(misuse)"]) { kind, _ in kind }
    }

    private static func kind(of mistake: Baton.LogEvent) -> String {
        switch mistake {
        case .typeChanged: "type changed"
        case .irregularResponse: "irregular response"
        case .unknownName: "unknown name"
        case .staleGeneratedCode: "stale generated code"
        case .changeDropped: "change dropped"
        case .misuse(let misuse): "\(misuse.kind.rawValue)"
        case .updateFailed: "update failed"
        default: "other"
        }
    }

    private static func metadata(_ fetch: Baton.LogEvent.Fetch) -> Metadata {
        [
            "graphql.operation.name": "\(fetch.operationName)", "graphql.operation.type": "\(fetch.kind.rawValue)",
            "request": "\(fetch.request)",
        ]
    }
}
