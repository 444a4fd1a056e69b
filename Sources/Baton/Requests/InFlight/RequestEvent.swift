/// An event of a request, for its waiters.
enum RequestEvent: Sendable {
    /// An answer, or a part of one, is about to be published. It or a failure follows.
    case landing
    case answered(Answer)
    case failed(RelayError)
    /// The stream of a subscription has ended; no answer comes with this event.
    case completed
    /// The connection of a subscription has another state.
    case connection(TransportState)

    /// True if other events of the request may follow.
    var hasNext: Bool {
        switch self {
        case .landing, .connection: true
        case .answered(let answer): answer.hasNext
        case .failed, .completed: false
        }
    }
}
