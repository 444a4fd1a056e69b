/// What a query handle must know of the store before it can decide.
struct Inquiry: Sendable {
    enum Cause: Sendable {
        case asked(Ask)
        case refetched(Completion)
        case retried(Completion)
        case cancelled
        /// A payload without an object has landed.
        case landed(Int, StoredPayload)
        case failed(Int, RelayError)
    }

    /// A call with another query.
    struct Ask: Sendable {
        enum Novelty: Sendable {
            /// The operation is another one. It is retained for the machine.
            case operation
            /// The fetch key is another one, and the operation is the one before.
            case fetchKey
        }

        let query: any RequestedQuery
        /// What was requested when the call was made.
        let last: (any RequestedQuery)?
        let novelty: Novelty
        /// The query that was fetched before there was a handle; nil after the first call.
        let preloaded: (any Preloaded)?
    }

    /// The response. What the cause has no use for is as it is at first.
    struct Facts: Sendable {
        /// How much is there of the operation's data.
        var availability = Coverage.unknown
        /// True if the operation was fetched under the fetch key of the call and its data is still there.
        var isFetched = false
        /// True if the data is too old, but may be shown while it is fetched again.
        var mayShowStale = false
        /// The errors of the last response.
        var errors: [GraphQLError] = []
    }

    let cause: Cause
    let operation: BoundOperation
    /// What was requested and how often the store was emptied at the time of the question.
    let requested: (any RequestedQuery)?
    let resets: Int
}
