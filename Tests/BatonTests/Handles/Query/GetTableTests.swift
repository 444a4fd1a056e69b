import Testing

@testable import Baton

/// The table of `QueryHandle.get`: five policies and three availabilities. Each cell covers the first call, the same
/// key, a new key, new variables, and a failing network.
@Suite(.timeLimit(.minutes(20))) struct GetTableTests {
    /// The state that a handle shows; the title of its film tells the source of the data.
    enum Shown: Equatable {
        case loading
        case failure
        case stored
        case fetched(String)
    }

    enum Held {
        case available
        case stale
        case missing
        /// The store holds all of it, but older than the limit of a field: the same as stale.
        case old
    }

    struct Cell: CustomTestStringConvertible {
        let policy: FetchPolicy
        private(set) var held: Held
        /// The state after the first call, and after a call with new variables.
        let first: Shown
        let fetches: Bool
        /// The state after the first request has failed; nil without a request.
        let failed: Shown?
        /// The state with a new key after the first response and before the second.
        let newKey: Shown
        let newKeyFetches: Bool
        /// The state after the request for the new key has failed.
        let newKeyFailed: Shown?

        init(
            _ policy: FetchPolicy, _ held: Held, _ first: Shown, fetches: Bool, failed: Shown?, newKey: Shown,
            fetches newKeyFetches: Bool, failed newKeyFailed: Shown?
        ) {
            self.policy = policy
            self.held = held
            self.first = first
            self.fetches = fetches
            self.failed = failed
            self.newKey = newKey
            self.newKeyFetches = newKeyFetches
            self.newKeyFailed = newKeyFailed
        }

        func held(_ held: Held) -> Cell {
            var cell = self
            cell.held = held
            return cell
        }

        var testDescription: String { "\(policy), \(held)" }
    }

    static let cells = table + table.filter { $0.held == .stale }.map { $0.held(.old) }

    static let table: [Cell] = [
        Cell(
            .storeOnly, .available, .stored, fetches: false, failed: nil,
            newKey: .stored, fetches: false, failed: nil),
        Cell(
            .storeOnly, .stale, .stored, fetches: false, failed: nil,
            newKey: .stored, fetches: false, failed: nil),
        Cell(
            .storeOnly, .missing, .stored, fetches: false, failed: nil,
            newKey: .stored, fetches: false, failed: nil),

        Cell(
            .storeOrNetwork, .available, .stored, fetches: false, failed: nil,
            newKey: .stored, fetches: true, failed: .stored),
        Cell(
            .storeOrNetwork, .stale, .loading, fetches: true, failed: .failure,
            newKey: .fetched("1"), fetches: true, failed: .fetched("1")),
        Cell(
            .storeOrNetwork, .missing, .loading, fetches: true, failed: .failure,
            newKey: .fetched("1"), fetches: true, failed: .fetched("1")),

        Cell(
            .storeAndNetwork, .available, .stored, fetches: true, failed: .stored,
            newKey: .fetched("1"), fetches: true, failed: .fetched("1")),
        Cell(
            .storeAndNetwork, .stale, .loading, fetches: true, failed: .failure,
            newKey: .fetched("1"), fetches: true, failed: .fetched("1")),
        Cell(
            .storeAndNetwork, .missing, .loading, fetches: true, failed: .failure,
            newKey: .fetched("1"), fetches: true, failed: .fetched("1")),

        Cell(
            .networkOnly, .available, .loading, fetches: true, failed: .failure,
            newKey: .loading, fetches: true, failed: .failure),
        Cell(
            .networkOnly, .stale, .loading, fetches: true, failed: .failure,
            newKey: .loading, fetches: true, failed: .failure),
        Cell(
            .networkOnly, .missing, .loading, fetches: true, failed: .failure,
            newKey: .loading, fetches: true, failed: .failure),

        Cell(
            .networkOrStore, .available, .loading, fetches: true, failed: .stored,
            newKey: .loading, fetches: true, failed: .fetched("1")),
        Cell(
            .networkOrStore, .stale, .loading, fetches: true, failed: .stored,
            newKey: .loading, fetches: true, failed: .fetched("1")),
        Cell(
            .networkOrStore, .missing, .loading, fetches: true, failed: .failure,
            newKey: .loading, fetches: true, failed: .fetched("1")),
    ]

    private func stage(_ held: Held) async throws -> Stage {
        let clock = HandClock()
        let stage = Stage(clock: clock)
        for id in ["1", "2"] {
            switch held {
            case .available, .stale, .old: try await stage.seed(Films.FilmQuery(id: id), Films.film(id, "stored"))
            case .missing:
                try await stage.seed(
                    Films.TitleQuery(id: id), #"{"data":{"film":{"id":"\#(id)","title":"stored"}}}"#)
            }
        }
        if held == .stale { stage.environment.invalidate() }
        if held == .old { clock.advance(by: .seconds(61)) }
        return stage
    }

    private func shown(_ result: QueryResult<Films.FilmQuery.Data>) -> Shown? {
        switch result {
        case .loading: .loading
        case .failure: .failure
        case .success(let data):
            data?.film.map { $0.title == "stored" ? .stored : .fetched($0.title) }
        }
    }

    @Test(arguments: cells) func callsWithOldAndNewKeysAndVariablesFollowTheTable(_ cell: Cell) async throws {
        let stage = try await stage(cell.held)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: cell.policy)
        let before = stage.network.sent.count
        func requests() -> Int { stage.network.sent.count - before }

        #expect(shown(handle.get(id: "1")) == cell.first)
        #expect(handle.isFetching == cell.fetches)
        await stage.settle()
        #expect(requests() == (cell.fetches ? 1 : 0))
        #expect(handle.isMissingData == (cell.policy == .storeOnly && cell.held == .missing))

        #expect(shown(handle.get(id: "1")) == cell.first, "same key, request under way")
        await stage.settle()
        #expect(requests() == (cell.fetches ? 1 : 0))

        if cell.fetches { await stage.answer(Films.film("1", "1")) }
        let answered: Shown = cell.fetches ? .fetched("1") : .stored
        #expect(shown(handle.get(id: "1")) == answered, "same key")
        #expect(!handle.isFetching)
        await stage.settle()
        #expect(requests() == (cell.fetches ? 1 : 0))

        let beforeKey = requests()
        #expect(shown(handle.get(id: "1", fetchKey: 1)) == cell.newKey)
        #expect(handle.isFetching == cell.newKeyFetches)
        await stage.settle()
        #expect(requests() == beforeKey + (cell.newKeyFetches ? 1 : 0))
        if cell.newKeyFetches { await stage.answer(Films.film("1", "2")) }
        #expect(shown(handle.get(id: "1", fetchKey: 1)) == (cell.newKeyFetches ? .fetched("2") : .stored))

        let beforeVariables = requests()
        #expect(shown(handle.get(id: "2", fetchKey: 1)) == cell.first)
        await stage.settle()
        #expect(requests() == beforeVariables + (cell.fetches ? 1 : 0))
    }

    @Test(
        "For another policy or environment a new handle takes over: it joins the request, and shows what the store has.",
        arguments: cells)
    func anotherHandle(_ cell: Cell) async throws {
        for before in Self.cells where before.held == cell.held {
            let stage = try await stage(cell.held)
            let sent = stage.network.sent.count
            var old: QueryHandle<Films.FilmQuery>? = QueryHandle(in: stage.environment, fetchPolicy: before.policy)
            _ = old?.get(id: "1")
            let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: cell.policy)
            #expect(shown(handle.get(id: "1")) == cell.first)
            #expect(handle.isFetching == cell.fetches)
            withExtendedLifetime(old) {}
            old = nil
            await stage.settle()
            // The request of the old handle alone is given up, maybe before it is sent.
            let count = stage.network.sent.count - sent
            #expect(cell.fetches ? count == 1 : count <= (before.fetches ? 1 : 0))
            #expect(stage.network.waiting == (cell.fetches ? 1 : 0))
            if cell.fetches { await stage.answer(Films.film("1", "1")) }
            #expect(shown(handle.get(id: "1")) == (cell.fetches ? .fetched("1") : .stored))
        }
        let other = try await stage(.missing)
        let handle = QueryHandle<Films.FilmQuery>(in: other.environment, fetchPolicy: cell.policy)
        let row = Self.table.first { $0.policy == cell.policy && $0.held == .missing }
        #expect(shown(handle.get(id: "1")) == row?.first)
    }

    @Test(arguments: cells) func theCallAfterASkipIsLikeTheFirstOne(_ cell: Cell) async throws {
        let stage = try await stage(cell.held)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: cell.policy)
        let before = stage.network.sent.count
        for round in 1...3 {
            #expect(shown(handle.get(id: "1", fetchKey: round)) == cell.first)
            #expect(handle.isFetching == cell.fetches)
            await stage.settle()
            #expect(stage.network.sent.count - before == (cell.fetches ? round : 0))
            handle.skip()
            #expect(handle.result == .loading && !handle.isFetching && handle.fetchError == nil)
            await stage.settle()
            #expect(stage.network.waiting == 0, "the request is given up")
        }
        #expect(shown(handle.get(id: "1")) == cell.first)
        if cell.fetches { await stage.answer(Films.film("1", "1")) }
        #expect(shown(handle.get(id: "1")) == (cell.fetches ? .fetched("1") : .stored))
    }

    @Test(arguments: cells.filter { $0.fetches }) func aFailedFirstRequestShowsWhatTheTableSays(_ cell: Cell)
        async throws
    {
        let stage = try await stage(cell.held)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: cell.policy)
        _ = handle.get(id: "1")
        await stage.fail()
        #expect(shown(handle.get(id: "1")) == cell.failed)
        #expect(handle.fetchError == .transport(Unreachable()))
        #expect(!handle.isFetching)
        await stage.settle()
        #expect(stage.network.waiting == 0, "a failure starts nothing by itself")

        handle.retry()
        #expect(handle.isFetching && handle.fetchError == nil)
        await stage.answer(Films.film("1", "1"))
        #expect(shown(handle.get(id: "1")) == .fetched("1"))
    }

    @Test(arguments: cells.filter { $0.newKeyFetches }) func aFailedRequestForANewKeyShowsWhatTheTableSays(_ cell: Cell)
        async throws
    {
        let stage = try await stage(cell.held)
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: cell.policy)
        _ = handle.get(id: "1")
        if cell.fetches { await stage.answer(Films.film("1", "1")) }
        _ = handle.get(id: "1", fetchKey: "new")
        await stage.fail()
        #expect(shown(handle.get(id: "1", fetchKey: "new")) == cell.newKeyFailed)
        #expect(handle.fetchError == .transport(Unreachable()))
        #expect(handle.previousData?.film?.title != nil)
    }
}
