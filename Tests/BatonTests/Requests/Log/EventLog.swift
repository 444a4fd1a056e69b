import Testing

@testable import Baton

/// Collects log events. A misuse that the test does not provoke is an issue: right programs are told of none.
final class EventLog: Sendable {
    private let list = Guarded<[LogEvent]>([])
    private let provoked: Set<LogEvent.Misuse.Kind>

    /// - Parameter provoked: The misuses that the test makes on purpose.
    init(provoking provoked: Set<LogEvent.Misuse.Kind> = []) { self.provoked = provoked }

    func add(_ event: LogEvent) {
        list.withLock { $0.append(event) }
        guard case .misuse(let misuse) = event, !provoked.contains(misuse.kind) else { return }
        Issue.record("a misuse that the test does not provoke: \(event)")
    }
    func clear() { list.withLock { $0 = [] } }
    var events: [LogEvent] { list.withLock { $0 } }

    var misuses: [LogEvent.Misuse] {
        events.compactMap { if case .misuse(let misuse) = $0 { misuse } else { nil } }
    }

    var publishes: [LogEvent.Publish] {
        events.compactMap { if case .published(let event) = $0 { event } else { nil } }
    }

    var deliveries: [LogEvent.Delivery] {
        events.compactMap { if case .delivered(let event) = $0 { event } else { nil } }
    }

    /// The sources of the failed updates, in order.
    var failedUpdates: [LogEvent.Publish.Source] {
        events.compactMap { if case .updateFailed(let event) = $0 { event.source } else { nil } }
    }

    /// The names of the fetch events, in order.
    var fetches: [String] {
        events.compactMap {
            switch $0 {
            case .fetchStarted: "started"
            case .fetchShared: "shared"
            case .refreshed: "refreshed"
            case .fetchFinished: "finished"
            case .fetchFailed: "failed"
            case .fetchCancelled: "cancelled"
            default: nil
            }
        }
    }

    var typeChanges: [LogEvent.TypeChange] {
        events.compactMap { if case .typeChanged(let event) = $0 { event } else { nil } }
    }

    var missing: [LogEvent.MissingData] {
        events.compactMap { if case .missingData(let event) = $0 { event } else { nil } }
    }

    var checks: [LogEvent.Check] {
        events.compactMap { if case .checked(let event) = $0 { event } else { nil } }
    }

    var updateFailures: [LogEvent.UpdateFailure] {
        events.compactMap { if case .updateFailed(let event) = $0 { event } else { nil } }
    }

    var unknownNames: [LogEvent.UnknownName] {
        events.compactMap { if case .unknownName(let event) = $0 { event } else { nil } }
    }

    /// The policies of the started requests.
    var policies: [FetchPolicy?] {
        events.compactMap { if case .fetchStarted(let event) = $0 { event.policy } else { nil } }
    }
}
