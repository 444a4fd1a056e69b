extension QueryMachine {
    // The large cases are indirect, because effects are passed on several times.
    /// Inside the lock, as a part of the step.
    enum InLock: Sendable {
        /// Subscribe to what was read; `subscribed` follows.
        case subscribe(RowResult, replacing: SubscriptionID?)
        /// Subscribe to missing data; `searching` follows.
        indirect case subscribeSearch(Dependencies, replacing: SubscriptionID?, changes: Int)
        /// Let a subscription wait for the next read.
        case clear(SubscriptionID)
        case unsubscribe(SubscriptionID)
    }

    /// For the thread that has sent the event.
    enum Caller: Sendable {
        /// Find out about the store; `known` follows.
        indirect case inquire(Inquiry)
        /// Another query is requested meanwhile, so the call is to be made again.
        case refuse
        /// Read what is shown now, and notify the observers if it is another reading.
        case show(after: Reading)
        /// Count a change and notify the observers, because the data has changed since it was read.
        case mark
        case reportMissing(any RequestedQuery)
        /// Look whether what the read lacked is still on its way.
        case confirmArriving(any RequestedQuery)
        /// Let go what may hold the last reference to an object of the application.
        indirect case discard(Remains)
    }

    /// In the queue.
    enum Queued: Sendable {
        /// Wait for a request: a new one, or one in flight that may be shared.
        indirect case start(Start)
        /// Stop waiting for the request with this number.
        case abandon(Int)
        /// Forget this request, which has ended.
        case finish(Int)
        case release(BoundOperation)
        /// Let somebody go on who has waited for a request.
        case resume(Completion, RelayError?)
        case log(LogEvent.Refresh.Cause, BoundOperation)
    }

    /// A request to wait for.
    struct Start: Sendable {
        /// What may serve the caller instead of a new request.
        enum Sharing: Sendable {
            /// What was fetched under the key, or is being fetched.
            case any
            /// What is being fetched.
            case inFlight
            /// What is being fetched or was fetched under the key, which has changed.
            case underKey
        }

        let number: Int
        let query: any RequestedQuery
        let sharing: Sharing
        let preloaded: (any Preloaded)?
    }

    /// What a machine had before an event.
    struct Remains: Sendable {
        private let reading: Reading?
        private let result: RowResult?
        private let call: (any AnyObject & Sendable)?
        private let last: LastShown
        private let before: ShownBefore?

        init(of machine: QueryMachine) {
            (reading, result) = (machine.reader.reading, machine.reader.result)
            (call, last, before) = (machine.lastCall, machine.lastShown, machine.shownBefore)
        }

        /// True if the machine may have let something go.
        func differs(from machine: QueryMachine) -> Bool {
            if reading !== machine.reader.reading || result !== machine.reader.result { return true }
            if call !== machine.lastCall || before?.operation !== machine.shownBefore?.operation { return true }
            if case .nothing = machine.lastShown, case .nothing = last { return false }
            if case .nothing = machine.lastShown { return true }
            return false
        }
    }
}
