/// An event of a request, for its waiters.
enum RequestEvent: Sendable {
    case landed(StoredPayload)
    case failed(RelayError)
    /// The stream of a subscription has ended; no payload comes with this event.
    case completed
    /// The state of a subscription's connection has changed. If it `isRestored`, events may have been missed.
    case connection(TransportState, isRestored: Bool)

    /// True if other events of the request may follow.
    var hasNext: Bool {
        switch self {
        case .connection: true
        case .landed(let payload): payload.hasNext
        case .failed, .completed: false
        }
    }
}
