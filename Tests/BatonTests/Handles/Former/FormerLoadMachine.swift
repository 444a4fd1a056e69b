@testable import Baton

/// The decisions of a handle about its refetches and pages: what is under way, what ends what, and what is shown.
///
/// The machine is a value without locks, tasks or data. Each method is an event; its result tells the shell what to do,
/// in order. A `FormerFetchMachine` decides about the policy of a refetch.
struct FormerLoadMachine: Equatable {
    /// The kind of a load.
    enum Kind: Hashable, Sendable {
        case refetch
        /// A page at the end of the list.
        case next
        /// A page before the beginning of the list.
        case previous
    }

    /// An action for the shell; the number is that of a load.
    enum Action: Equatable {
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

    /// The answer to a call that asks for a page.
    enum Admission: Equatable {
        case begun(Int, [Action])
        /// A load with this number is under way, and the caller waits for it.
        case joined(Int)
        /// Nothing is loaded, because a refetch is under way or the handle has ended.
        case refused
    }

    /// The numbers of the loads that are under way.
    private(set) var loads: [Kind: Int] = [:]
    /// The error of the last load, until the next one begins.
    private(set) var fetchError: RelayError?
    /// The kind of the load that failed last, until another one begins.
    private(set) var failed: Kind?
    private(set) var isClosed = false
    /// True if the caller has cancelled since the last load began.
    private(set) var isGivenUp = false
    /// A number that grows when a load begins or ends.
    private(set) var moves = 0
    private var fetch = FormerFetchMachine(policy: .networkOnly)
    private var hasAdopted = false
    private var last = 0

    // MARK: - Calls of the handle

    /// Begins a refetch, which ends everything that is under way.
    ///
    /// - Parameter availability: The availability of the data to fetch.
    mutating func refetch(_ policy: FetchPolicy, _ availability: Availability) -> (number: Int, actions: [Action]) {
        guard !isClosed else { return (0, []) }
        var actions = endAll()
        let number = begin(.refetch)
        fetch = FormerFetchMachine(policy: policy)
        hasAdopted = false
        let starts = !fetch.variablesChanged(availability, isFetched: false).isEmpty
        adoptIfShown(number, isWhole: true, &actions)
        if starts { actions.append(.start(number)) } else { end(number, nil, &actions) }
        actions.append(.showStatus)
        return (number, actions)
    }

    /// Begins to load a page, unless one is loaded on this side.
    mutating func page(_ kind: Kind) -> Admission {
        guard !isClosed, loads[.refetch] == nil else { return .refused }
        if let number = loads[kind] { return .joined(number) }
        let number = begin(kind)
        return .begun(number, [.start(number), .showStatus])
    }

    /// Ends a load that nobody wants any more.
    mutating func cancel(_ number: Int) -> [Action] {
        guard kind(of: number) != nil else { return [] }
        isGivenUp = true
        var actions = [Action.abandon(number)]
        end(number, .cancelled, &actions)
        return actions + [.showStatus]
    }

    /// Ends everything that is under way, because the caller wants nothing of it any more.
    mutating func giveUp() -> [Action] {
        isGivenUp = true
        return cancelAll()
    }

    /// Ends everything that is under way, because another reference is shown or the store was emptied.
    mutating func cancelAll() -> [Action] {
        fetchError = nil
        failed = nil
        let actions = endAll()
        return actions.isEmpty ? [] : actions + [.showStatus]
    }

    mutating func close() -> [Action] {
        isClosed = true
        return endAll()
    }

    // MARK: - Outcomes of requests

    /// Returns the kind of a load; nil if it is over.
    func kind(of number: Int) -> Kind? { loads.first { $0.value == number }?.key }

    /// Handles an answer.
    ///
    /// - Parameters:
    ///   - isWhole: True if the fragment can be shown as a whole, though more parts of the answer may follow.
    ///   - availability: The availability of the operation's data now.
    mutating func answered(
        _ number: Int, _ content: FormerFetchMachine.Content, errors: [GraphQLError], availability: Availability,
        hasNext: Bool, isWhole: Bool = true
    ) -> [Action] {
        guard let kind = kind(of: number) else { return [] }
        var actions: [Action] = []
        var error: RelayError?
        if kind == .refetch, let request = fetch.request {
            _ = fetch.answered(request, content, errors: errors, availability: availability, hasNext: hasNext)
            error = fetch.fetchError
            adoptIfShown(number, isWhole: isWhole || !hasNext, &actions)
        } else if content == .null, !errors.isEmpty {
            error = .noData(errors)
        }
        if !hasNext { end(number, error, &actions) }
        actions.append(.showStatus)
        return actions
    }

    /// Handles the failure of a request.
    mutating func failed(_ number: Int, _ error: RelayError, availability: Availability) -> [Action] {
        guard let kind = kind(of: number) else { return [] }
        var actions: [Action] = []
        if kind == .refetch, let request = fetch.request {
            _ = fetch.failed(request, error, availability: availability)
            adoptIfShown(number, isWhole: true, &actions)
        }
        end(number, error, &actions)
        return actions + [.showStatus]
    }

    /// Notes a load that could not begin.
    mutating func refused(_ kind: Kind, because error: RelayError) -> [Action] {
        guard !isClosed else { return [] }
        (fetchError, failed) = (error, kind)
        return [.showStatus]
    }

    // MARK: - Loads

    private mutating func begin(_ kind: Kind) -> Int {
        last += 1
        moves += 1
        loads[kind] = last
        fetchError = nil
        failed = nil
        isGivenUp = false
        return last
    }

    private mutating func end(_ number: Int, _ error: RelayError?, _ actions: inout [Action]) {
        guard let kind = kind(of: number) else { return }
        loads[kind] = nil
        moves += 1
        if let error, error != .cancelled { (fetchError, failed) = (error, kind) }
        actions.append(.finish(number, error))
    }

    private mutating func endAll() -> [Action] {
        var actions: [Action] = []
        for number in loads.values.sorted() {
            actions.append(.abandon(number))
            end(number, .cancelled, &actions)
        }
        return actions
    }

    /// Shows what a refetch has brought, once, as soon as its policy allows it.
    private mutating func adoptIfShown(_ number: Int, isWhole: Bool, _ actions: inout [Action]) {
        guard isWhole, !hasAdopted, fetch.phase == .showing || fetch.phase == .showingNull else { return }
        hasAdopted = true
        actions.append(.adopt(number))
    }
}
