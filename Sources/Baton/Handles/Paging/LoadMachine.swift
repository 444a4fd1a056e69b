/// The decisions about refetches and pages: what is under way, what ends what, and what is shown. It is a part of the
/// machines of both kinds of handles that load pages. A `PolicyMachine` decides about the policy of a refetch.
struct LoadMachine: Equatable, Sendable {
    /// The kind of a load.
    enum Kind: Hashable, Sendable {
        case refetch
        /// A page at the end of the list.
        case next
        /// A page before the beginning of the list.
        case previous
    }

    /// The events; a number is that of a load.
    enum Event: Sendable {
        /// A refetch begins, and ends everything that is under way. `Coverage` is that of the data to fetch.
        case refetched(FetchPolicy, Coverage)
        /// A page is to be loaded. Nothing happens unless it `mayLoad`.
        case paged(Kind)
        /// Nobody wants a load any more.
        case cancelled(Int)
        /// The caller wants nothing of what is under way any more.
        case givenUp
        /// Another reference is shown, or the store was emptied.
        case left
        case closed
        /// A load could not begin.
        case refused(Kind, RelayError)
        /// A payload has landed; `Coverage` is that of the operation's data now. It `isWhole` if the fragment can
        /// be shown as a whole, though more payloads may follow.
        case landed(
            Int, PolicyMachine.Content, errors: [GraphQLError], Coverage, hasNext: Bool, isWhole: Bool = true)
        case failed(Int, RelayError, Coverage)
    }

    enum Effect: Equatable, Sendable {
        /// Wait for a request.
        case start(Int)
        /// Stop waiting for the request.
        case abandon(Int)
        /// Show what the refetch has brought.
        case adopt(Int)
        /// The load is over: tell those who wait for it.
        case finish(Int, RelayError?)
        /// Notify the observers, because the status of the handle has changed.
        case showStatus
    }

    /// A refetch that is under way.
    private struct Refetch: Equatable {
        enum Result: Equatable {
            case awaited
            /// It is shown already, and more of it may come.
            case adopted
        }

        let number: Int
        var fetch: PolicyMachine
        var result = Result.awaited
    }

    private enum State: Equatable {
        /// The numbers of the pages that are loaded.
        case pages(next: Int?, previous: Int?)
        /// While a refetch is under way no page is loaded.
        case refetch(Refetch)
        case closed
    }

    /// What has happened since the last load began.
    private enum News: Equatable {
        case none
        case failed(Kind, RelayError)
        /// The caller has cancelled, maybe after a failure.
        case givenUp
        case givenUpAfter(Kind, RelayError)
    }

    private var state = State.pages(next: nil, previous: nil)
    private var news = News.none
    /// A number that grows when a load begins or ends.
    private(set) var moves = 0
    /// The number of the newest load.
    private(set) var last = 0

    // MARK: - Queries

    /// The error of the last load, until the next one begins.
    var fetchError: RelayError? { failure?.error }
    /// The kind of the load that failed last, until another one begins.
    var failed: Kind? { failure?.kind }
    var isClosed: Bool { state == .closed }

    /// True if the caller has cancelled since the last load began.
    var isGivenUp: Bool {
        switch news {
        case .givenUp, .givenUpAfter: true
        case .none, .failed: false
        }
    }

    /// True if nothing is under way.
    var isIdle: Bool { numbers.isEmpty }

    /// Returns the number of the load of a kind; nil if there is none.
    func number(of kind: Kind) -> Int? {
        switch (state, kind) {
        case (.refetch(let refetch), .refetch): refetch.number
        case (.pages(let next, _), .next): next
        case (.pages(_, let previous), .previous): previous
        default: nil
        }
    }

    /// Returns the kind of a load; nil if it is over.
    func kind(of number: Int) -> Kind? {
        [.refetch, .next, .previous].first { self.number(of: $0) == number }
    }

    /// Returns true if a page can be loaded: nothing is refetched, and no page is loaded on this side.
    func mayLoad(_ kind: Kind) -> Bool {
        switch (state, kind) {
        case (.pages(nil, _), .next), (.pages(_, nil), .previous): true
        default: false
        }
    }

    private var numbers: [Int] {
        switch state {
        case .pages(let next, let previous): [next, previous].compactMap(\.self).sorted()
        case .refetch(let refetch): [refetch.number]
        case .closed: []
        }
    }

    private var failure: (kind: Kind, error: RelayError)? {
        switch news {
        case .failed(let kind, let error), .givenUpAfter(let kind, let error): (kind, error)
        case .none, .givenUp: nil
        }
    }

    // MARK: - Events

    mutating func handle(_ event: Event) -> [Effect] {
        if isClosed { return [] }
        var effects: [Effect] = []
        switch event {
        case .refetched(let policy, let availability): refetch(policy, availability, &effects)
        case .paged(let kind):
            guard mayLoad(kind) else { break }
            let number = begin()
            if case .pages(_, let previous) = state, kind == .next { state = .pages(next: number, previous: previous) }
            if case .pages(let next, _) = state, kind == .previous { state = .pages(next: next, previous: number) }
            effects = [.start(number), .showStatus]
        case .cancelled(let number):
            guard kind(of: number) != nil else { break }
            giveUp()
            effects.append(.abandon(number))
            end(number, .cancelled, &effects)
            effects.append(.showStatus)
        case .givenUp:
            leave(&effects)
            news = .givenUp
        case .left:
            let isGivenUp = isGivenUp
            leave(&effects)
            news = isGivenUp ? .givenUp : .none
        case .closed:
            endAll(&effects)
            state = .closed
        case .refused(let kind, let error):
            fail(kind, error)
            effects.append(.showStatus)
        case .landed(let number, let content, let errors, let availability, let hasNext, let isWhole):
            guard let kind = kind(of: number) else { break }
            var error: RelayError?
            if kind == .refetch {
                let event = { (request: Int) in
                    PolicyMachine.Event.landed(request, content, errors: errors, availability, hasNext: hasNext)
                }
                error = move(event, isWhole: isWhole || !hasNext, &effects)
            } else if content == .null, !errors.isEmpty {
                error = .noData(errors)
            }
            if !hasNext { end(number, error, &effects) }
            effects.append(.showStatus)
        case .failed(let number, let error, let availability):
            guard let kind = kind(of: number) else { break }
            if kind == .refetch { _ = move({ .failed($0, error, availability) }, isWhole: true, &effects) }
            end(number, error, &effects)
            effects.append(.showStatus)
        }
        return effects
    }

    private mutating func refetch(_ policy: FetchPolicy, _ availability: Coverage, _ effects: inout [Effect]) {
        endAll(&effects)
        let number = begin()
        var refetch = Refetch(number: number, fetch: PolicyMachine(policy: policy))
        let starts = !refetch.fetch.handle(.variablesChanged(availability, isFetched: false)).isEmpty
        adoptIfShown(&refetch, isWhole: true, &effects)
        state = .refetch(refetch)
        if starts { effects.append(.start(number)) } else { end(number, nil, &effects) }
        effects.append(.showStatus)
    }

    /// Passes an event to the policy of the refetch; returns the error of its request.
    private mutating func move(
        _ event: (Int) -> PolicyMachine.Event, isWhole: Bool, _ effects: inout [Effect]
    ) -> RelayError? {
        guard case .refetch(var refetch) = state, let request = refetch.fetch.request else { return nil }
        _ = refetch.fetch.handle(event(request))
        adoptIfShown(&refetch, isWhole: isWhole, &effects)
        state = .refetch(refetch)
        return refetch.fetch.fetchError
    }

    /// Shows what a refetch has brought, once, as soon as its policy allows it.
    private func adoptIfShown(_ refetch: inout Refetch, isWhole: Bool, _ effects: inout [Effect]) {
        let phase = refetch.fetch.phase
        guard isWhole, refetch.result == .awaited, phase == .showing || phase == .showingNull else { return }
        refetch.result = .adopted
        effects.append(.adopt(refetch.number))
    }

    // MARK: - Loads

    private mutating func begin() -> Int {
        last += 1
        moves += 1
        news = .none
        return last
    }

    private mutating func end(_ number: Int, _ error: RelayError?, _ effects: inout [Effect]) {
        guard let kind = kind(of: number) else { return }
        switch (state, kind) {
        case (.pages(_, let previous), .next): state = .pages(next: nil, previous: previous)
        case (.pages(let next, _), .previous): state = .pages(next: next, previous: nil)
        default: state = .pages(next: nil, previous: nil)
        }
        moves += 1
        if let error, error != .cancelled { fail(kind, error) }
        effects.append(.finish(number, error))
    }

    private mutating func endAll(_ effects: inout [Effect]) {
        for number in numbers {
            effects.append(.abandon(number))
            end(number, .cancelled, &effects)
        }
    }

    /// Ends everything that is under way.
    private mutating func leave(_ effects: inout [Effect]) {
        endAll(&effects)
        if !effects.isEmpty { effects.append(.showStatus) }
    }

    private mutating func fail(_ kind: Kind, _ error: RelayError) {
        news = isGivenUp ? .givenUpAfter(kind, error) : .failed(kind, error)
    }

    private mutating func giveUp() {
        news = failure.map { .givenUpAfter($0.kind, $0.error) } ?? .givenUp
    }
}
