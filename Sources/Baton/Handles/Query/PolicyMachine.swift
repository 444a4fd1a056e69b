// Freshness has several owners, this one for what is done then; ReadingTheDesign.md names the others.

/// The decisions of a fetch policy: whether a request is sent, which request is waited for, and what may be shown
/// meanwhile and afterwards.
///
/// It is a part of a `QueryMachine` and of a `LoadMachine`. The table of policies, which `QueryHandle.get` describes,
/// is in `ask`.
struct PolicyMachine: Equatable, Sendable {
    /// The kind of state that a handle shows.
    enum Phase: Equatable {
        /// Nothing was asked for yet.
        case idle
        /// The handle shows nothing until the request has a response.
        case loading
        /// The handle shows the data in the store.
        case showing
        /// The handle shows null, because the service sent `{"data": null}` without errors.
        case showingNull
        /// The handle shows an error, because there is no data to show instead.
        case failed(RelayError)
    }

    enum Event: Equatable, Sendable {
        /// The first call, or a call with other variables. The data `isFetched` if the operation was fetched under the
        /// fetch key of the call and its data is still there. Data that is too old `mayShowStale` while it is fetched.
        case variablesChanged(Coverage, isFetched: Bool, mayShowStale: Bool = false)
        /// A call with the same variables and another fetch key.
        case fetchKeyChanged(Coverage, isFetched: Bool)
        /// The caller wants the data to be fetched again.
        case refetched(Coverage)
        /// The data is to be fetched again, though the caller has not asked for it.
        case refreshed
        /// The caller wants to do again what has failed, was given up, or was ended by a reset.
        case retried(Coverage)
        /// The store was emptied. With `asksAgain` the same data is asked for again, as in a first call.
        case emptied(asksAgain: Bool)
        /// The caller does not wait for the response any more.
        case cancelled(Coverage)
        /// The caller wants nothing at present.
        case skipped
        /// The handle has ended.
        case closed
        /// A payload of a request has landed; `Coverage` is that of the operation's data now.
        case landed(Int, Content, errors: [GraphQLError], Coverage, hasNext: Bool)
        case failed(Int, RelayError, Coverage)
        /// The stream of a subscription has ended.
        case completed(Int)
        /// The store has other data while a failure is shown.
        case dataChanged(Coverage)
    }

    enum Effect: Equatable, Sendable {
        /// Wait for a request with this number: a new one, or one in flight that may be shared.
        case start(Int)
        /// Stop waiting for this request.
        case abandon(Int)
    }

    /// The `data` of a payload.
    enum Content: Equatable, Sendable {
        /// An object, which is in the store now.
        case object
        /// `null` or nothing.
        case null
    }

    private enum Shown: Equatable {
        case data
        case null
        case failure(RelayError)
    }

    private enum Request: Equatable {
        case none
        case awaited(Int)
        /// The request was not asked for by the caller, so its failure leaves on show what is on show.
        case refreshing(Int)
        /// The caller has cancelled, so that only the caller begins another request.
        case givenUp
        /// The store was emptied after the caller had cancelled. The next call counts as the first one.
        case givenUpAndEmptied
    }

    private enum State: Equatable {
        /// Nothing was asked for, or nothing is wanted at present.
        case idle
        /// The store was emptied, and nothing is asked for until the caller asks. The next call counts as the first
        /// one.
        case resting
        /// Nothing is shown until the request has a response.
        case loading(Int)
        /// Something is shown. The error is that of the last request, until the next one begins.
        case showing(Shown, Request, RelayError?)
    }

    let policy: FetchPolicy
    private let renderPolicy: RenderPolicy
    private var state = State.idle
    private var lastRequest = 0

    init(policy: FetchPolicy, renderPolicy: RenderPolicy = .full) {
        self.policy = policy
        self.renderPolicy = renderPolicy
    }

    // MARK: - Queries

    /// True if data may be shown of which a part is missing and on its way.
    var showsParts: Bool {
        renderPolicy == .partial && (policy == .storeOrNetwork || policy == .storeAndNetwork)
    }

    var phase: Phase {
        switch state {
        case .idle, .resting: .idle
        case .loading: .loading
        case .showing(.data, _, _): .showing
        case .showing(.null, _, _): .showingNull
        case .showing(.failure(let error), _, _): .failed(error)
        }
    }

    /// True if the handle shows the data in the store.
    var isShowing: Bool {
        if case .showing(.data, _, _) = state { true } else { false }
    }

    /// The number of the request that the handle waits for.
    var request: Int? {
        switch state {
        case .loading(let number), .showing(_, .awaited(let number), _), .showing(_, .refreshing(let number), _):
            number
        case .idle, .resting, .showing: nil
        }
    }

    /// The error of the last request, until the next one begins.
    var fetchError: RelayError? {
        if case .showing(_, _, let error) = state { error } else { nil }
    }

    /// True after a reset of the store, until the data is asked for again. The next call counts as the first one.
    var isResting: Bool {
        switch state {
        case .resting, .showing(_, .givenUpAndEmptied, _): true
        case .idle, .loading, .showing: false
        }
    }

    /// True if the caller has cancelled, so that only the caller begins another request.
    var isGivenUp: Bool {
        switch state {
        case .showing(_, .givenUp, _), .showing(_, .givenUpAndEmptied, _): true
        case .idle, .resting, .loading, .showing: false
        }
    }

    /// True if a failure is shown that data from other operations can end.
    var mayRecover: Bool {
        guard case .failed = phase else { return false }
        return policy != .networkOnly && policy != .storeOnly
    }

    // MARK: - Events

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .variablesChanged(let availability, let isFetched, let mayShowStale):
            return ask(availability, isFetched: isFetched, mayShowStale: mayShowStale)
        case .fetchKeyChanged(let availability, let isFetched):
            guard isFetched, policy != .storeOnly else { return refetch(availability) }
            if request == nil { state = .showing(.data, .none, nil) }
        case .refetched(let availability): return refetch(availability)
        case .refreshed: return refresh()
        case .retried(let availability):
            if request == nil, fetchError != nil || isGivenUp || isResting { return refetch(availability) }
        case .emptied(let asksAgain): return empty(asksAgain: asksAgain)
        case .cancelled(let availability): return cancel(availability)
        case .skipped: return leave(for: .idle)
        case .closed:
            if case .showing(let shown, _, let error) = state { return leave(for: .showing(shown, .none, error)) }
            return leave(for: .idle)
        case .landed(let number, let content, let errors, let availability, let hasNext):
            if number == request { land(content, errors, availability, hasNext: hasNext) }
        case .failed(let number, let error, let availability):
            if number == request { fail(error, availability, then: .none) }
        case .completed(let number):
            guard number == request else { break }
            // Null is shown if no event of the subscription has arrived.
            if case .showing(let shown, _, let error) = state {
                state = .showing(shown, .none, error)
            } else {
                state = .showing(.null, .none, nil)
            }
        case .dataChanged(let availability): recover(with: availability)
        }
        return []
    }

    // MARK: - Calls of the handle

    /// Evaluates the policy for the first call or for other variables: a row of the table.
    private mutating func ask(_ availability: Coverage, isFetched: Bool, mayShowStale: Bool) -> [Effect] {
        let former = request
        switch (policy, availability) {
        case (.storeOnly, _), (.storeOrNetwork, .available):
            return leave(for: .showing(.data, .none, nil))
        case _ where isFetched:
            return leave(for: .showing(.data, .none, nil))
        case (.storeAndNetwork, .available),
            (.storeOrNetwork, .stale) where mayShowStale,
            (.storeAndNetwork, .stale) where mayShowStale, (_, .missing) where showsParts:
            state = .showing(.data, .awaited(nextRequest()), nil)
        default:
            state = .loading(nextRequest())
        }
        return start(insteadOf: former)
    }

    /// Sends a request under every policy but `storeOnly`; complete data may stay on show.
    private mutating func refetch(_ availability: Coverage) -> [Effect] {
        guard phase != .idle || isResting else { return [] }
        let former = request
        switch (policy, state) {
        case (.storeOnly, .showing(_, let request, let error)):
            state = .showing(.data, request, error)
            return []
        case (.storeOrNetwork, .showing(let shown, _, _)) where shown != .data && shown != .null,
            (.storeAndNetwork, .showing(let shown, _, _)) where shown != .data && shown != .null:
            state = .loading(nextRequest())
        case (.storeOrNetwork, .showing(let shown, _, _)) where availability.isComplete || showsParts,
            (.storeAndNetwork, .showing(let shown, _, _)) where availability.isComplete || showsParts:
            state = .showing(shown, .awaited(nextRequest()), nil)
        default:
            state = .loading(nextRequest())
        }
        return start(insteadOf: former)
    }

    /// Sends a request that the caller has not asked for: what is shown stays, whatever becomes of the request. A
    /// request that the caller has given up is not sent again.
    private mutating func refresh() -> [Effect] {
        guard policy != .storeOnly, !isGivenUp else { return [] }
        let former = request
        switch state {
        case .idle, .resting: return []
        case .loading: state = .loading(nextRequest())
        case .showing(let shown, _, _): state = .showing(shown, .refreshing(nextRequest()), nil)
        }
        return start(insteadOf: former)
    }

    private mutating func empty(asksAgain: Bool) -> [Effect] {
        guard phase != .idle || isResting else { return [] }
        if policy == .storeOnly { return ask(.unknown, isFetched: false, mayShowStale: false) }
        if isGivenUp {
            state = .showing(.failure(.cancelled), .givenUpAndEmptied, .cancelled)
            return []
        }
        return asksAgain ? ask(.unknown, isFetched: false, mayShowStale: false) : leave(for: .resting)
    }

    /// Abandons the request. What is shown stays if it is complete; otherwise the failure is that of a cancellation.
    /// Without a request only later fetches that nobody asked for are given up.
    private mutating func cancel(_ availability: Coverage) -> [Effect] {
        if let request {
            fail(.cancelled, availability, then: .givenUp)
            return [.abandon(request)]
        }
        if case .showing(let shown, .none, let error) = state { state = .showing(shown, .givenUp, error) }
        return []
    }

    private mutating func nextRequest() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// Begins the new wait before the old one ends, so that it can share the request in flight.
    private func start(insteadOf former: Int?) -> [Effect] {
        [.start(lastRequest)] + (former.map { [.abandon($0)] } ?? [])
    }

    /// Goes to a state without a request.
    private mutating func leave(for next: State) -> [Effect] {
        let former = request
        state = next
        return former.map { [.abandon($0)] } ?? []
    }

    // MARK: - Ends of requests

    private mutating func land(
        _ content: Content, _ errors: [GraphQLError], _ availability: Coverage, hasNext: Bool
    ) {
        var next = Request.none
        if hasNext {
            switch state {
            case .loading(let number): next = .awaited(number)
            case .showing(_, let request, _): next = request
            case .idle, .resting: break
            }
        }
        switch content {
        case .object: state = .showing(.data, next, nil)
        case .null where !errors.isEmpty || policy == .networkOrStore && availability.isComplete:
            fail(.noData(errors), availability, then: next)
        case .null: state = .showing(.null, next, nil)
        }
    }

    /// Handles an error. Complete data stays if it is shown already or if the policy uses it after a failure. After a
    /// refresh all data stays.
    private mutating func fail(_ error: RelayError, _ availability: Coverage, then next: Request) {
        switch state {
        case .showing(.data, .refreshing, _): state = .showing(.data, next, error)
        case .showing(.null, .refreshing, _): state = .showing(.null, next, error)
        case .showing(.data, _, _) where availability.isComplete: state = .showing(.data, next, error)
        default:
            let shows = policy == .networkOrStore && availability.isComplete
            state = .showing(shows ? .data : .failure(error), next, error)
        }
    }

    /// Shows data instead of a failure. It must be what a first call would show at once, or what the policy uses after
    /// a failure. The error of the last request stays.
    private mutating func recover(with availability: Coverage) {
        guard mayRecover, policy == .networkOrStore ? availability.isComplete : availability.isAvailable,
            case .showing(_, let request, let error) = state
        else { return }
        state = .showing(.data, request, error)
    }
}
