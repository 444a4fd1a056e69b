@testable import Baton

/// The decisions of a query handle's fetch policy: whether a request is sent, which request the handle waits for, and
/// what may be shown meanwhile and afterwards.
///
/// The machine is a value without locks, tasks or data, inside a `FormerQueryMachine`. Each method is an event. The
/// table of policies, which `QueryHandle.get` describes, is in `variablesChanged`.
struct FormerFetchMachine: Equatable {
    /// The kind of state that a handle shows.
    enum Phase: Equatable {
        /// Nothing was asked for yet.
        case idle
        /// The handle shows nothing until the request has an answer.
        case loading
        /// The handle shows the data in the store.
        case showing
        /// The handle shows null, because the service answered `{"data": null}` without errors.
        case showingNull
        /// The handle shows an error, because there is no data to show instead.
        case failed(RelayError)
    }

    /// An action for requests; actions are done in order.
    enum Action: Equatable {
        /// Wait for a request with this number: a new one, or one in flight that may be shared.
        case start(Int)
        /// Stop waiting for this request.
        case abandon(Int)
    }

    /// The `data` of an answer.
    enum Content: Equatable {
        /// An object, which is in the store now.
        case object
        /// `null` or nothing.
        case null
    }

    let policy: FetchPolicy
    /// True if data may be shown of which a part is missing and on its way.
    let showsParts: Bool
    private(set) var phase = Phase.idle
    /// The number of the request that the handle waits for.
    private(set) var request: Int?
    /// The error of the last request, until the next one begins.
    private(set) var fetchError: RelayError?
    private var lastRequest = 0
    /// True if the request was not asked for by the caller, so that its failure leaves on show what is on show.
    private var isRefresh = false
    /// True if the caller has cancelled, so that only the caller begins another request.
    private var isGivenUp = false
    /// True after a reset of the store, until the data is asked for again. The next call counts as the first one.
    private(set) var isResting = false

    init(policy: FetchPolicy, renderPolicy: RenderPolicy = .full) {
        self.policy = policy
        showsParts = renderPolicy == .partial && (policy == .storeOrNetwork || policy == .storeAndNetwork)
    }

    // MARK: - Calls of the handle

    /// Evaluates the policy for the first call or for other variables: a row of the table.
    ///
    /// - Parameters:
    ///   - isFetched: True if the operation was fetched under the fetch key of the call and its data is still there.
    ///   - mayShowStale: True if the data is too old, but may be shown while it is fetched again.
    mutating func variablesChanged(
        _ availability: Availability, isFetched: Bool, mayShowStale: Bool = false
    ) -> [Action] {
        let abandoned = request
        request = nil
        fetchError = nil
        (isGivenUp, isResting) = (false, false)
        let actions: [Action]
        switch (policy, availability) {
        case (.storeOnly, _), (.storeOrNetwork, .available):
            phase = .showing
            actions = []
        case _ where isFetched:
            phase = .showing
            actions = []
        case (.storeAndNetwork, .available),
            (.storeOrNetwork, .stale) where mayShowStale,
            (.storeAndNetwork, .stale) where mayShowStale, (_, .missing) where showsParts:
            phase = .showing
            actions = [start()]
        default:
            phase = .loading
            actions = [start()]
        }
        return actions + Self.abandon(abandoned)
    }

    /// Evaluates the policy for the same variables and another fetch key.
    mutating func fetchKeyChanged(_ availability: Availability, isFetched: Bool) -> [Action] {
        guard isFetched, policy != .storeOnly else { return refetch(availability) }
        if request == nil {
            phase = .showing
            fetchError = nil
            isGivenUp = false
        }
        return []
    }

    /// Sends a request under every policy but `storeOnly`; complete data may stay on show.
    mutating func refetch(_ availability: Availability) -> [Action] {
        guard phase != .idle || isResting else { return [] }
        switch policy {
        case .storeOnly:
            phase = .showing
            return []
        case .networkOnly, .networkOrStore:
            phase = .loading
        case .storeOrNetwork, .storeAndNetwork:
            let isShown = phase == .showing || phase == .showingNull
            if !isShown || !availability.isComplete && !showsParts { phase = .loading }
        }
        return startAgain()
    }

    /// Sends a request that the caller has not asked for: what is shown stays, whatever becomes of the request. A
    /// request that the caller has given up is not sent again.
    mutating func refresh() -> [Action] {
        guard phase != .idle, policy != .storeOnly, !isGivenUp else { return [] }
        let wasShown = phase != .loading
        let actions = startAgain()
        isRefresh = wasShown
        return actions
    }

    private mutating func startAgain() -> [Action] {
        fetchError = nil
        let abandoned = request
        // The new wait begins before the old one ends, so that it can share the request in flight.
        return [start()] + Self.abandon(abandoned)
    }

    /// Sends a request if the last one failed or was given up, or if a reset has ended it.
    mutating func retry(_ availability: Availability) -> [Action] {
        guard request == nil, fetchError != nil || isGivenUp || isResting else { return [] }
        return refetch(availability)
    }

    /// Handles the reset of the store.
    ///
    /// With `asksAgain` the same data is asked for again, as in a first call. Otherwise, and always after a
    /// cancellation, the machine rests until the caller asks.
    mutating func emptied(asksAgain: Bool) -> [Action] {
        guard phase != .idle || isResting else { return [] }
        if policy == .storeOnly { return variablesChanged(.unknown, isFetched: false) }
        if isGivenUp {
            isResting = true
            fetchError = .cancelled
            phase = .failed(.cancelled)
            return []
        }
        if asksAgain { return variablesChanged(.unknown, isFetched: false) }
        let actions = skipped()
        isResting = true
        return actions
    }

    /// Abandons the request. What is shown stays if it is complete; otherwise the failure is that of a cancellation.
    /// Without a request only later fetches that nobody asked for are given up.
    mutating func cancelled(_ availability: Availability) -> [Action] {
        if phase != .idle { isGivenUp = true }
        guard let abandoned = request else { return [] }
        request = nil
        fail(.cancelled, availability)
        return [.abandon(abandoned)]
    }

    /// Abandons the request, and everything is as before the first call.
    mutating func skipped() -> [Action] {
        let abandoned = request
        request = nil
        fetchError = nil
        (isGivenUp, isResting) = (false, false)
        phase = .idle
        return Self.abandon(abandoned)
    }

    /// Handles the end of the handle: the request is abandoned.
    mutating func closed() -> [Action] {
        let abandoned = request
        request = nil
        return Self.abandon(abandoned)
    }

    private mutating func start() -> Action {
        lastRequest += 1
        request = lastRequest
        isRefresh = false
        (isGivenUp, isResting) = (false, false)
        return .start(lastRequest)
    }

    private static func abandon(_ request: Int?) -> [Action] {
        request.map { [.abandon($0)] } ?? []
    }

    // MARK: - Outcomes of requests

    /// Handles an answer; returns false if the handle does not wait for its request.
    ///
    /// - Parameter availability: The availability of the operation's data now.
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

    /// Handles the failure of a request; returns false if the handle does not wait for it.
    mutating func failed(_ number: Int, _ error: RelayError, availability: Availability) -> Bool {
        guard number == request else { return false }
        request = nil
        fail(error, availability)
        return true
    }

    /// Handles an error. Complete data stays if it is shown already or if the policy uses it after a failure. After a
    /// refresh all data stays.
    private mutating func fail(_ error: RelayError, _ availability: Availability) {
        fetchError = error
        if isRefresh, phase == .showing || phase == .showingNull { return }
        let mayShow = phase == .showing || policy == .networkOrStore
        phase = mayShow && availability.isComplete ? .showing : .failed(error)
    }

    /// Handles the end of a subscription's stream; returns false if the handle does not wait for it. Null is shown if
    /// no event has arrived.
    mutating func completed(_ number: Int) -> Bool {
        guard number == request else { return false }
        request = nil
        if phase == .loading { phase = .showingNull }
        return true
    }

    // MARK: - Recovery

    /// True if a failure is shown that data from other operations can end.
    var mayRecover: Bool {
        guard case .failed = phase else { return false }
        return policy != .networkOnly && policy != .storeOnly
    }

    /// Handles a change of the store while a failure is shown; returns true if there is data to show instead.
    ///
    /// The data must be what a first call would show at once, or what the policy uses after a failure. `fetchError`
    /// stays set.
    mutating func recovers(with availability: Availability) -> Bool {
        guard mayRecover else { return false }
        guard policy == .networkOrStore ? availability.isComplete : availability.isAvailable else { return false }
        phase = .showing
        return true
    }
}
