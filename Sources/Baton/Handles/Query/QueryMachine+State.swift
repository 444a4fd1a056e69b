extension QueryMachine {
    /// The search for missing data while a failure is shown, because other operations may bring the data.
    enum Search: Sendable {
        case off
        case due
        /// The search was done after this number of changes, with a subscription to the missing data if there is any.
        case done(changes: Int, SubscriptionID?)
    }

    /// The result of a read.
    enum Found: Equatable, Sendable {
        case data
        case nothing
        case failure
    }

    /// The last content for the requested query that was no failure.
    enum LastShown: Sendable {
        case nothing
        /// Too little was there to count as data.
        case incomplete(GeneratedCode.Row?)
        case data(GeneratedCode.Row?)
    }

    /// The data that was shown for another query, with its operation, which is retained.
    struct ShownBefore: Sendable {
        let operation: BoundOperation
        let data: GeneratedCode.Row?
    }

    /// The status that belongs to a result without being part of it.
    struct Status: Equatable, Sendable {
        var isFetching = false
        var isMissingData = false
        var errors = 0
        var connection: TransportState?
    }
}
