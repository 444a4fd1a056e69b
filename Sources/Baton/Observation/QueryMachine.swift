/// The decisions of a query handle: what it shows and which request it waits for.
///
/// A value without locks, tasks or data. Each method takes what the shell has learned and returns what the shell must
/// do, outside its lock and in this order. The table of `QueryHandle.get` is `evaluate`.
struct QueryMachine: Equatable {
    /// What a handle shows.
    enum Phase: Equatable {
        /// Nothing was asked for.
        case idle
        /// Nothing until the request has an answer.
        case loading
        /// What the store holds.
        case showing
        /// Nothing, because the service said so without an error: `{"data": null}`.
        case showingNull
        /// An error, with nothing to show instead.
        case failed(RelayError)
    }

    /// What the shell has to do.
    enum Action: Equatable {
        /// Wait for the answer of a request of this number: a new one, or one in flight that may be shared.
        case start(Int)
        /// Stop waiting for this request.
        case abandon(Int)
    }

    /// What an answer held in `data`.
    enum Content: Equatable {
        /// An object, which is in the store now.
        case object
        /// `null` or nothing.
        case null
    }

    let policy: FetchPolicy
    private(set) var phase = Phase.idle
    /// The number of the request that the handle waits for.
    private(set) var request: Int?
    /// Why the last request brought nothing, until the next one begins.
    private(set) var fetchError: RelayError?
    private var lastRequest = 0

    init(policy: FetchPolicy) {
        self.policy = policy
    }

    /// The first call, or other variables than before: a row of the table.
    ///
    /// - Parameter isFetched: the operation was fetched under the fetch key of the call, and what that brought is
    ///   there.
    mutating func evaluate(_ availability: Availability, isFetched: Bool) -> [Action] {
        let abandoned = request
        request = nil
        fetchError = nil
        let actions: [Action]
        switch (policy, availability) {
        case (.storeOnly, _), (.storeOrNetwork, .available):
            phase = .showing
            actions = []
        case _ where isFetched:
            phase = .showing
            actions = []
        case (.storeAndNetwork, .available):
            phase = .showing
            actions = [start()]
        default:
            phase = .loading
            actions = [start()]
        }
        return actions + abandoned.map { [.abandon($0)] }.orEmpty
    }

    /// The same variables under another fetch key.
    mutating func askAgain(_ availability: Availability, isFetched: Bool) -> [Action] {
        guard isFetched, policy != .storeOnly else { return refetch(availability) }
        if request == nil {
            phase = .showing
            fetchError = nil
        }
        return []
    }

    /// Asks the network again, under every policy but `storeOnly`; what is complete may stay on show.
    mutating func refetch(_ availability: Availability) -> [Action] {
        guard phase != .idle else { return [] }
        switch policy {
        case .storeOnly:
            phase = .showing
            return []
        case .networkOnly, .networkOrStore:
            phase = .loading
        case .storeOrNetwork, .storeAndNetwork:
            if phase != .showing && phase != .showingNull || !availability.isComplete { phase = .loading }
        }
        fetchError = nil
        let abandoned = request
        // The new wait begins before the old one ends, so that it can share the request in flight.
        return [start()] + abandoned.map { [.abandon($0)] }.orEmpty
    }

    /// The store was emptied: what was asked for is asked for again, as if for the first time.
    mutating func reset() -> [Action] {
        phase == .idle ? [] : evaluate(.unknown, isFetched: false)
    }

    /// Asks again if the last request failed.
    mutating func retry(_ availability: Availability) -> [Action] {
        guard request == nil, fetchError != nil else { return [] }
        return refetch(availability)
    }

    /// An answer has landed; false if it is not the one that the handle waits for.
    ///
    /// - Parameter availability: how much of the operation the store holds now.
    mutating func answered(
        _ number: Int, _ content: Content, errors: [GraphQLError], availability: Availability, hasNext: Bool
    ) -> Bool {
        guard number == request else { return false }
        switch content {
        case .object:
            fetchError = nil
            phase = .showing
        case .null where !errors.isEmpty || policy == .networkOrStore && availability.isComplete:
            fail(.noData(errors), availability)
        case .null:
            fetchError = nil
            phase = .showingNull
        }
        if !hasNext { request = nil }
        return true
    }

    /// A request has failed; false if it is not the one that the handle waits for.
    mutating func failed(_ number: Int, _ error: RelayError, availability: Availability) -> Bool {
        guard number == request else { return false }
        request = nil
        fail(error, availability)
        return true
    }

    /// Something has changed in the store while a failure is shown; true if there is something to show instead now.
    ///
    /// What a first call would show at once counts, and what the policy falls back on. Why the fetch failed stays
    /// known.
    mutating func completed(_ availability: Availability) -> Bool {
        guard mayRecover else { return false }
        guard policy == .networkOrStore ? availability.isComplete : availability.isAvailable else { return false }
        phase = .showing
        return true
    }

    /// A failure is shown that data from somewhere else can end.
    var mayRecover: Bool {
        guard case .failed = phase else { return false }
        return policy != .networkOnly && policy != .storeOnly
    }

    /// Complete data that is shown, or that the policy falls back on, wins over an error.
    private mutating func fail(_ error: RelayError, _ availability: Availability) {
        fetchError = error
        let mayShow = phase == .showing || policy == .networkOrStore
        phase = mayShow && availability.isComplete ? .showing : .failed(error)
    }

    private mutating func start() -> Action {
        lastRequest += 1
        request = lastRequest
        return .start(lastRequest)
    }
}

extension Optional where Wrapped == [QueryMachine.Action] {
    fileprivate var orEmpty: [QueryMachine.Action] { self ?? [] }
}
