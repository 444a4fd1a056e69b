/// Notes the requests that callers have asked for or joined since the last look.
///
/// State: guarded by a lock of its own, a leaf.
final class RequestRecorder: Sendable {
    private let asked = Guarded<[RequestExecution]>([])

    func note(_ request: RequestExecution) {
        asked.withLock { asked in
            if !asked.contains(where: { $0 === request }) { asked.append(request) }
        }
    }

    /// Returns the noted requests in the order in which they were asked for, and forgets them.
    func take() -> [RequestExecution] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }
}
