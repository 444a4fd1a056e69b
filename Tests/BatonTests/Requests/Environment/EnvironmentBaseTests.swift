import RandomCases
import StoreModel
import Testing

@testable import Baton

/// Environments over one base: what they see, and what they do not.
@Suite(.timeLimit(.minutes(20))) struct EnvironmentBaseTests {
    private static let films = 300

    /// Answers a list of films 1 to `first`, and any film by its id; the title names the network.
    private struct NamingNetwork: NetworkLayer {
        let name: String

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            let value = request.variables.first?.value
            if request.operationName == "List" {
                guard case .int(let count)? = value else { throw Unreachable() }
                return NetworkResponse(body: Array(Films.list(count).utf8))
            }
            guard case .string(let id)? = value else { throw Unreachable() }
            return NetworkResponse(body: Array(Films.film(id, "\(name) \(id)").utf8))
        }
    }

    private static func shared(_ count: Int = films) async throws -> (RelayEnvironment, Retention) {
        let environment = RelayEnvironment(network: NamingNetwork(name: "shared"))
        let query = Films.ListQuery(variables: .init(first: .value(count)))
        let retention = environment.retain(query)
        _ = try await environment.fetch(query)
        for id in ["1", "2"] { _ = try await environment.fetch(Films.FilmQuery(id: id)) }
        return (environment, retention)
    }

    private static func title(_ id: String, in environment: RelayEnvironment) -> String? {
        // Read through the record, because only some films were fetched by their own query.
        let title = try? environment.update { $0.get(DataID(id))?.value(forField: "title") }
        guard case .string(let text)? = title else { return nil }
        return text
    }

    private static func set(_ id: String, _ title: String, in environment: RelayEnvironment) throws {
        try environment.update { store in
            let record = try store.get(DataID(id)) ?? store.create(DataID(id), type: "Film")
            try record.setValue(.string(title), forField: "title")
        }
    }

    @Test("The environment reads what the base has as if it had fetched it.")
    func itReadsWhatTheBaseHasAsIfItHadFetchedIt() async throws {
        let (shared, retention) = try await Self.shared()
        let stage = Stage()
        let environment = RelayEnvironment(over: shared.base(), network: stage.network)
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(id: "1").data?.film?.title == "shared 1")
        #expect(stage.network.sent.isEmpty)
        #expect(handle.get(id: "3").isLoading, "the base lacks its rating")
        await until { stage.network.waiting == 1 }
        stage.network.answer(Films.film("3", "own"))
        #expect(await environment.settled().isEmpty)
        #expect(handle.result.data?.film?.title == "own")
        #expect(Self.title("3", in: shared) == "Film 3")
        withExtendedLifetime(retention) {}
    }

    @Test("Fetch keys of the base count.")
    func fetchKeysOfTheBaseCount() async throws {
        let stage = Stage()
        let first = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = first.get(id: "1", fetchKey: 7)
        await stage.answer(Films.film("1", "one"))
        let environment = RelayEnvironment(over: stage.environment.base(), network: stage.network)
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(id: "1", fetchKey: 7).data?.film?.title == "one")
        #expect(stage.network.sent.count == 1)
        _ = handle.get(id: "1", fetchKey: 8)
        await until { stage.network.waiting == 1 }
        #expect(stage.network.sent.map(\.id) == [1, 2], "the numbers of requests go on")
    }

    @Test("Invalidations of the base count.")
    func invalidationsOfTheBaseCount() async throws {
        let (shared, retention) = try await Self.shared()
        shared.invalidate()
        let environment = RelayEnvironment(over: shared.base(), network: Stage().network)
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(id: "1").isLoading)
        withExtendedLifetime(retention) {}
    }

    @Test("Optimistic changes are no part of the base.")
    func optimisticChangesAreNotPartOfTheBase() async throws {
        let (shared, retention) = try await Self.shared()
        let change = shared.applyUpdate { try $0.get("1")?.setValue("optimistic", forField: "title") }
        #expect(Self.title("1", in: RelayEnvironment(over: shared.base(), network: Stage().network)) == "shared 1")
        change.revert()
        withExtendedLifetime(retention) {}
    }

    @Test("An environment over a base collects nothing.")
    func itCollectsNothing() async throws {
        let (shared, retention) = try await Self.shared()
        let environment = RelayEnvironment(over: shared.base(), network: NamingNetwork(name: "own"))
        for id in 0..<40 { _ = try await environment.fetch(Films.FilmQuery(id: "own \(id)")) }
        #expect(environment.collectGarbage() == 0)
        #expect(Self.title("\(Self.films)", in: environment) == "Film \(Self.films)")
        withExtendedLifetime(retention) {}
    }

    @Test("A reset empties one environment alone.")
    func aResetEmptiesOneEnvironmentAlone() async throws {
        let (shared, retention) = try await Self.shared()
        let base = shared.base()
        let (first, second) = (
            RelayEnvironment(over: base, network: NamingNetwork(name: "own")),
            RelayEnvironment(over: base, network: NamingNetwork(name: "own"))
        )
        first.reset()
        #expect(Self.title("1", in: first) == nil)
        #expect(Self.title("1", in: second) == "shared 1")
        #expect(try await first.fetch(Films.FilmQuery(id: "1")).data?.film?.title == "own 1")
        withExtendedLifetime(retention) {}
    }

    @Test("The base keeps records that the shared environment collects.")
    func whatTheSharedEnvironmentCollectsTheBaseKeeps() async throws {
        let (shared, retention) = try await Self.shared()
        let base = shared.base()
        retention.release()
        shared.reset()
        for id in 1000..<1400 { _ = try await shared.fetch(Films.FilmQuery(id: "\(id)")) }
        let environment = RelayEnvironment(over: base, network: Stage().network)
        #expect(Self.title("1", in: environment) == "shared 1")
        #expect(Self.title("\(Self.films)", in: environment) == "Film \(Self.films)")
        #expect(Self.title("1001", in: environment) == nil)
    }

    /// 10,000 environments over one base, all alive, written to in random order.
    @Test("No environment sees the writes of another.")
    func whatOneWritesNoOtherSees() async throws {
        let (shared, retention) = try await Self.shared()
        let base = shared.base()
        let count = 10_000
        let environments = (0..<count).map { _ in RelayEnvironment(over: base, network: NamingNetwork(name: "own")) }
        var model: [Int: [String: String]] = [:]
        var sharedModel: [String: String] = [:]
        var random = SeededGenerator(seed: 13)
        func id() -> String {
            // Known films, and new ones whose names are short and long.
            let number = Int.random(in: 1...(Self.films + 60), using: &random)
            return number > Self.films + 30 ? "a film with a long name \(number)" : "\(number)"
        }
        for step in 0..<4_000 {
            let (number, id) = (Int.random(in: 0..<count, using: &random), id())
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                try Self.set(id, "shared \(step)", in: shared)
                sharedModel[id] = "shared \(step)"
            case 1, 2:
                _ = try await environments[number].fetch(Films.FilmQuery(id: id))
                model[number, default: [:]][id] = "own \(id)"
            default:
                try Self.set(id, "step \(step)", in: environments[number])
                model[number, default: [:]][id] = "step \(step)"
            }
        }
        func start(_ id: String) -> String? {
            guard let number = Int(id), number <= Self.films else { return nil }
            return number <= 2 ? "shared \(id)" : "Film \(id)"
        }
        let ids =
            (1...(Self.films + 30)).map(String.init)
            + ((Self.films + 31)...(Self.films + 60)).map { "a film with a long name \($0)" }
        for number in stride(from: 0, to: count, by: 101) + Array(model.keys.sorted().prefix(300)) {
            for id in ids where Int(id).map({ $0 % 7 == number % 7 }) ?? true {
                let expected = model[number]?[id] ?? start(id)
                #expect(Self.title(id, in: environments[number]) == expected)
            }
        }
        for id in ids { #expect(Self.title(id, in: shared) == sharedModel[id] ?? start(id)) }
        let late = RelayEnvironment(over: base, network: Stage().network)
        for id in ids { #expect(Self.title(id, in: late) == start(id)) }
        withExtendedLifetime(retention) {}
    }

    @Test func baseOverBaseGoesOn() async throws {
        let (shared, retention) = try await Self.shared()
        let middle = RelayEnvironment(over: shared.base(), network: NamingNetwork(name: "middle"))
        _ = try await middle.fetch(Films.FilmQuery(id: "a film of the middle"))
        try Self.set("2", "middle", in: middle)
        let top = RelayEnvironment(over: middle.base(), network: NamingNetwork(name: "top"))
        _ = try await top.fetch(Films.FilmQuery(id: "a film of the top"))
        #expect(Self.title("1", in: top) == "shared 1")
        #expect(Self.title("2", in: top) == "middle")
        #expect(Self.title("a film of the middle", in: top) == "middle a film of the middle")
        #expect(Self.title("a film of the top", in: top) == "top a film of the top")
        #expect(Self.title("a film of the top", in: middle) == nil)
        withExtendedLifetime(retention) {}
    }

    /// Threads that read and write environments over one base at the same time, for the thread sanitizer too.
    @Test func environmentsOfManyThreadsDoNotMeet() async throws {
        let (shared, retention) = try await Self.shared()
        let base = shared.base()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<20 {
                        let name = "\(worker) \(round)"
                        let environment = RelayEnvironment(over: base, network: NamingNetwork(name: name))
                        _ = try await environment.fetch(Films.FilmQuery(id: "9"))
                        _ = try await environment.fetch(Films.FilmQuery(id: "new"))
                        try Self.set("10", name, in: environment)
                        #expect(Self.title("9", in: environment) == "\(name) 9")
                        #expect(Self.title("new", in: environment) == "\(name) new")
                        #expect(Self.title("10", in: environment) == name)
                        #expect(Self.title("11", in: environment) == "Film 11")
                    }
                }
            }
            group.addTask {
                for round in 0..<100 { try Self.set("9", "shared \(round)", in: shared) }
            }
            try await group.waitForAll()
        }
        #expect(Self.title("9", in: shared) == "shared 99")
        withExtendedLifetime(retention) {}
    }

    /// The responses of the environments over a base are not noted in one table, which would become ever larger.
    @Test func answersOfOneEnvironmentAreNoBurdenForTheNext() throws {
        let store = Store()
        let plan = "{n:Int}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Number", kind: .query, text: "", normalization: plan, reader: plan)
        func answer(_ number: Int, in store: Store) throws {
            let operation = store.bind(artifact, variables: .object([]))
            let fetch = FetchMark(time: .seconds(number), began: 0)
            let staged = try store.normalize(Array(#"{"data":{"n":\#(number)}}"#.utf8), for: operation, fetch: fetch)
            store.publish(staged, for: operation)
        }
        try answer(0, in: store)
        let base = store.base
        let count = base.records.stamps.table.count
        for number in 1...50 {
            let other = Store(over: base)
            for _ in 0..<3 { try answer(number, in: other) }
            #expect(other.records.stamps.table.count == count + 3)
            #expect(other.checkInvariants() == [])
        }
        try answer(1, in: store)
        #expect(base.records.stamps.table.count == count)
    }
}
