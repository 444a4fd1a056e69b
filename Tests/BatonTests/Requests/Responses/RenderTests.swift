import RandomCases
import StoreModel
import Testing

@testable import Baton

/// The guarantees of `render(timeout:passLimit:)`.
@Suite(.timeLimit(.minutes(20))) struct RenderTests {
    /// Answers each film after a random number of turns. Its title names the films that a page shows below it.
    private final class TreeNetwork: NetworkLayer {
        let children: [String: [String]]
        let failing: Set<String>
        let turns: [String: Int]
        private let asked = Guarded<[String]>([])

        init(children: [String: [String]], failing: Set<String> = [], turns: [String: Int] = [:]) {
            (self.children, self.failing, self.turns) = (children, failing, turns)
        }

        var sent: [String] { asked.withLock { $0 } }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            guard case .string(let id)? = request.variables.first?.value else { throw Unreachable() }
            asked.withLock { $0.append(id) }
            for _ in 0..<(turns[id] ?? 0) { await Task.yield() }
            if failing.contains(id) { throw Unreachable() }
            let title = (children[id] ?? []).joined(separator: ",")
            return NetworkResponse(body: Array(Films.film(id, title).utf8))
        }
    }

    /// A page of nested films, with a handle for each.
    private final class Page {
        let environment: RelayEnvironment
        private var handles: [String: QueryHandle<Films.FilmQuery>] = [:]

        init(in environment: RelayEnvironment) { self.environment = environment }

        func text(_ id: String = "1") -> String {
            let handle = handles[id] ?? QueryHandle<Films.FilmQuery>(in: environment)
            handles[id] = handle
            switch handle.get(id: id) {
            case .loading: return "\(id)?"
            case .failure: return "\(id)!"
            case .success(let data):
                let below = (data?.film?.title ?? "").split(separator: ",").map { text(String($0)) }
                return below.isEmpty ? id : "\(id)(\(below.joined(separator: " ")))"
            }
        }
    }

    @Test("The page is that of a pass that asked for no request, unless the time or the passes were over.")
    func thePageIsOfAPassThatAskedForNothing() async {
        let network = TreeNetwork(children: ["1": ["2", "3"], "3": ["4"]])
        let page = Page(in: RelayEnvironment(network: network))
        let rendering = await page.environment.render { page.text() }
        #expect(rendering.page == "1(2 3(4))")
        #expect(rendering.passes == 4)
        #expect(rendering.isSettled && rendering.open.isEmpty)
        let again = await page.environment.render { page.text() }
        #expect(again.passes == 1 && again.waterfalls.isEmpty)
        #expect(network.sent.count == 4)
    }

    @Test func aPassMayBeAsynchronous() async {
        let network = TreeNetwork(children: ["1": ["2"]], turns: ["1": 3])
        let environment = RelayEnvironment(network: network)
        let films = QueryHandle<Films.FilmQuery>(in: environment)
        let rendering = await environment.render {
            let data = films.get(id: "1").data
            await Task.yield()
            return data?.film?.title ?? "?"
        }
        #expect(rendering.page == "2" && rendering.passes == 2 && rendering.isSettled)
    }

    @Test("Each pass after the first is reported as a waterfall if it asked for a request.")
    func eachLaterPassThatAskedIsAWaterfall() async {
        let page = Page(in: RelayEnvironment(network: TreeNetwork(children: ["1": ["2", "3"], "3": ["4"]])))
        let rendering = await page.environment.render { page.text() }
        #expect(rendering.waterfalls.map(\.pass) == [2, 3])
        #expect(rendering.waterfalls.map { $0.asked.count } == [2, 1])
        #expect(rendering.waterfalls.map { $0.after.count } == [1, 2])
        #expect(rendering.waterfalls.first?.asked.first?.components == ["Film"])
        #expect(rendering.waterfalls.last?.description == "pass 3 asked for Film after Film, Film")
    }

    @Test func aJoinedRequestNamesEachComponentOnce() async {
        let stage = Stage()
        let (first, second) = (
            QueryHandle<Films.FilmQuery>(in: stage.environment), QueryHandle<Films.FilmQuery>(in: stage.environment)
        )
        let preloaded = stage.environment.preload(Films.FilmQuery(id: "1"))
        _ = (first.get(id: "1"), second.get(id: "1"))
        let open = stage.environment.open
        #expect(open.map(\.components) == [["Film"]])
        #expect(open.map(\.description) == ["Film"])
        withExtendedLifetime(preloaded) {}
        await stage.answer(Films.film("1", "one"))
    }

    @Test("The timeout counts for all passes, and then the page is rendered once more with the data that has arrived.")
    func afterTheTimeoutThePageShowsWhatHasCome() async {
        let clock = SleepingClock()
        let stage = Stage(clock: clock)
        let page = Page(in: stage.environment)
        async let driver: Void = {
            await stage.answer(Films.film("1", "2,3"))
            await until { stage.network.waiting == 2 && clock.sleepers == 1 }
            stage.network.answer(Films.film("2", ""))
            await until { stage.environment.activity.counts.requests == 1 }
            clock.advance(by: .seconds(5))
        }()
        let rendering = await stage.environment.render(timeout: .seconds(5)) { page.text() }
        await driver
        #expect(rendering.page == "1(2 3?)")
        #expect(!rendering.isSettled)
        #expect(rendering.open.map(\.operationName) == ["Film"])
    }

    @Test("Unless the time is over, there are at most `passLimit` passes.")
    func thePassesAreBounded() async {
        // Each film names the next one, without end.
        let children = Dictionary(uniqueKeysWithValues: (1...100).map { ("\($0)", ["\($0 + 1)"]) })
        let page = Page(in: RelayEnvironment(network: TreeNetwork(children: children)))
        let rendering = await page.environment.render(passLimit: 5) { page.text() }
        #expect(rendering.passes == 5)
        #expect(!rendering.isSettled)
        #expect(rendering.open.count == 1)
    }

    @Test("An error of the page ends the rendering.")
    func anErrorOfThePageEndsTheRendering() async {
        let page = Page(in: RelayEnvironment(network: TreeNetwork(children: [:])))
        await #expect(throws: Unreachable.self) {
            _ = try await page.environment.render { () throws -> String in
                if page.text() == "1" { throw Unreachable() }
                return ""
            }
        }
    }

    /// Random trees, failures and orders of responses against the tree itself.
    @Test(arguments: RandomCases.seeds(200)) func anyOrderOfAnswersGivesTheWholePage(_ seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 1...12, using: &random)
        var children: [String: [String]] = [:]
        for id in 2..<(count + 2) {
            children["\(Int.random(in: 1..<id, using: &random))", default: []].append("\(id)")
        }
        let ids = (1...(count + 1)).map(String.init)
        let failing = Set(ids.filter { _ in Int.random(in: 0..<8, using: &random) == 0 })
        let turns = Dictionary(uniqueKeysWithValues: ids.map { ($0, Int.random(in: 0..<30, using: &random)) })
        let network = TreeNetwork(children: children, failing: failing, turns: turns)
        let page = Page(in: RelayEnvironment(network: network))
        let rendering = await page.environment.render { page.text() }

        func expected(_ id: String) -> String {
            if failing.contains(id) { return "\(id)!" }
            let below = (children[id] ?? []).map(expected)
            return below.isEmpty ? id : "\(id)(\(below.joined(separator: " ")))"
        }
        var levels = [["1"]]
        while let last = levels.last, !last.isEmpty {
            levels.append(last.filter { !failing.contains($0) }.flatMap { children[$0] ?? [] })
        }
        levels.removeLast()
        #expect(rendering.page == expected("1"))
        #expect(rendering.isSettled)
        #expect(rendering.waterfalls.map { $0.asked.count } == levels.dropFirst().map(\.count))
        #expect(network.sent.sorted() == levels.flatMap(\.self).sorted())
    }
}
