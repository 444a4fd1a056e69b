import Baton

/// What the log of a `MockEnvironment` has told.
///
/// State: guarded by a lock of its own, a leaf.
final class SeenEvents: Sendable {
    private let events = Guarded<[LogEvent]>([])

    func note(_ event: LogEvent) { events.withLock { $0.append(event) } }

    var all: [LogEvent] { events.withLock(\.self) }

    func clear() { events.withLock { $0.removeAll() } }

    /// The name of an operation with its variables.
    static func text(_ name: String, _ variables: JSONValue?) -> String {
        variables.map { "'\(name)' with \($0.text)" } ?? "'\(name)'"
    }

    /// What has happened, in one line.
    func text(_ answers: MockAnswers) -> String {
        let texts = all.compactMap { Self.text($0, answers) }
        return texts.isEmpty ? "nothing was seen" : "seen was: " + texts.joined(separator: "; ")
    }

    private static func text(_ event: LogEvent, _ answers: MockAnswers) -> String? {
        func request(_ fetch: LogEvent.Fetch) -> String {
            text(fetch.operationName, answers.request(fetch.request).map { .object($0.variables) })
        }
        switch event {
        case .fetchStarted(let fetch): return "fetched \(request(fetch))"
        case .fetchFinished(let fetch, _): return "finished \(request(fetch))"
        case .fetchFailed(let fetch, let error): return "failed \(request(fetch)): \(error)"
        case .fetchCancelled(let fetch): return "cancelled \(request(fetch))"
        case .delivered(let delivery): return "notified '\(delivery.component)' (\(delivery.cause.text))"
        default: return event.isMistake ? "mistake: \(event)" : nil
        }
    }
}

extension LogEvent.Delivery.Cause {
    var text: String {
        switch self {
        case .registration: "the registration"
        case .storeChange: "a change in the store"
        case .handle: "its handle"
        }
    }
}
