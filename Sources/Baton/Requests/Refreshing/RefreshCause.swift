/// A reason for handles to fetch again, since they were last notified.
enum RefreshCause: Sendable, Equatable {
    case invalidation
    /// Fields of these operations are missing, by `BoundOperation.identity`.
    case missingData(Set<ObjectIdentifier>)
    /// The application has given a signal, or a subscription has. Data younger than the given age is not fetched again.
    case signal(Freshness.Triggers, ifOlderThan: Duration)

    var trigger: Freshness.Triggers {
        switch self {
        case .invalidation: .invalidation
        case .missingData: .missingData
        case .signal(let trigger, _): trigger
        }
    }
}
