extension QueryMachine {
    /// The events of a query handle.
    enum Event: Sendable {
        // Calls of the handle.
        indirect case asked(Inquiry.Ask)
        case refetched(Completion)
        case retried(Completion)
        /// The data is to be fetched again, though the caller has not asked for it: that of one operation, if it is
        /// still requested, because of a cause.
        case refreshed(BoundOperation?, because: LogEvent.Refresh.Cause?)
        /// The caller does not wait for the response any more.
        case cancelled
        /// The caller wants nothing at present.
        case skipped
        /// The store was emptied. Without `asksAgain` the same data is asked for again only by the caller.
        case emptied(asksAgain: Bool)
        /// The handle was deinitialized.
        case closed
        /// A call has got this reading. The call is kept for the next one.
        case remembered(any AnyObject & Sendable, of: any RequestedQuery, Reading, changes: Int)

        // News of requests, by number.
        /// A payload is in the store. If it is an event of a subscription, its operation, which is retained for the
        /// machine, is the requested one from now on.
        indirect case landed(Int, StoredPayload)
        indirect case failed(Int, RelayError)
        /// The stream of a subscription has ended.
        case completed(Int)
        /// The connection of a subscription has another state.
        case connected(Int, TransportState, isRestored: Bool)

        // Answers to questions.
        indirect case known(Inquiry.Facts, Inquiry)
        case read(Read, ReadTask<Target>, publish: Int)
        /// Nil if nothing is missing.
        indirect case sought(Dependencies?, Coverage, SearchTask, publish: Int)
        /// What is known is to be shown. `publish` is the newest one that has changed the data.
        case looked(changes: Int, publish: Int)
        case subscribed(SubscriptionID, hasChanged: Bool)
        case searching(SubscriptionID, changes: Int, hasChanged: Bool)
    }

    typealias Target = any RequestedQuery

    /// What must be found out before the newest reading is known.
    enum Question: Sendable {
        /// Read the store; `read` follows.
        case read(ReadTask<Target>)
        /// Look for missing data; `sought` follows.
        case search(SearchTask)
        /// Nothing but what is known already; `looked` follows.
        case nothing
    }

    /// What a read has given.
    struct Read: Sendable {
        let result: RowResult
        /// True if the data differs from that of the last read.
        let isDifferent: Bool
        let found: Found
        /// True if a field is missing that is on its way in a later part of a response.
        var isArriving = false
    }

    /// A search for missing data.
    struct SearchTask: Sendable {
        enum Turn: Sendable {
            /// The store was checked when the failure arrived.
            case first
            case later
        }

        let requested: any RequestedQuery
        let turn: Turn
        /// The count of changes before the search.
        let changes: Int
    }
}
