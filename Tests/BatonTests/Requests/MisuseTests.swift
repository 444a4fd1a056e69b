import Foundation
import Testing

@testable import Baton

/// Misuses outside of frames: each is reported once for each place, and what is right is not.
@Suite(.timeLimit(.minutes(20))) struct MisuseTests {
    let stage = Stage(provoking: Self.everyMisuse)
    private var environment: RelayEnvironment { stage.environment }

    /// An actor that is told.
    private actor Screen {
        private(set) var count = 0
        func add() { count += 1 }
    }

    private static let everyMisuse = Set(LogEvent.Misuse.Kind.allCases)
    private var misuses: [LogEvent.Misuse] { stage.log.misuses }

    private func misuse(_ kind: LogEvent.Misuse.Kind, _ place: String = "Film") -> [LogEvent.Misuse] {
        [LogEvent.Misuse(kind: kind, place: place)]
    }

    @Test func everyKindSaysWhatWhereAndWhatInstead() {
        for kind in LogEvent.Misuse.Kind.allCases {
            let event = LogEvent.misuse(LogEvent.Misuse(kind: kind, place: "Here"))
            #expect(event.description.contains("Here") && event.description.contains(": ") && event.isMistake)
        }
    }

    /// The guide has a row for each kind.
    @Test func theGuideHasEachKind() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = root.appending(path: "Sources/Baton/Baton.docc/Mistakes.md")
        let guide = try String(contentsOf: page, encoding: .utf8)
        for kind in LogEvent.Misuse.Kind.allCases {
            let place = kind == .changeLetGo ? "App/Film.swift:7" : "X"
            let text = LogEvent.Misuse(kind: kind, place: place).description
            let what = try #require(text.wholeMatch(of: /(.*): [^:]*/)).1
            #expect(guide.contains("| \(what) |"), "\(what)")
        }
    }

    @Test func aRecordThatNothingHasYetIsToldToTheLogAlone() throws {
        for _ in 0..<2 { try environment.update { try $0.get("Film", id: "404")?.setValue("x", forField: "title") } }
        let unknown = stage.log.events.filter { if case .unknownName = $0 { true } else { false } }
        #expect(unknown.count == 1 && unknown.first?.isMistake == false)
        #expect(unknown.first?.description == "the record 'Film:404' is named, which is not in the store")
    }

    @Test func aHandleThatIsLetGoWhileAnObserverWaitsIsReported() async {
        let screen = Screen()
        // The actor has no time to be told before.
        func load(_ screen: isolated Screen) {
            let handle = QueryHandle<Films.FilmQuery>(in: environment)
            handle.observe(on: screen) { screen, _ in screen.add() }
            _ = handle.get(id: "1")
        }
        await load(screen)
        await load(screen)
        await stage.settle()
        #expect(misuses == misuse(.handleLetGo))
    }

    @Test func aSubscriptionThatIsLetGoWhileAnObserverWaitsIsReported() async {
        let screen = Screen()
        func subscribe(_ screen: isolated Screen) {
            let handle = SubscriptionHandle<FilmChangedSubscription>(in: environment)
            handle.observe(on: screen) { screen, _ in screen.add() }
            _ = handle.subscribe(FilmChangedSubscription.Variables(id: "1"))
        }
        await subscribe(screen)
        await stage.settle()
        #expect(misuses == misuse(.handleLetGo, "FilmChanged"))
    }

    @Test func aSequenceOfAHandleThatWasLetGoIsReported() async {
        func results() -> QueryResults<Films.FilmQuery.Data> {
            let handle = QueryHandle<Films.FilmQuery>(in: environment)
            _ = handle.get(id: "1")
            return handle.results
        }
        for await result in results() { #expect(result.isLoading || result.error != nil) }
        #expect(misuses == misuse(.handleLetGo))
    }

    @Test func aHandleThatEndsWithItsScreenIsNoMistake() async {
        do {
            // The screen has shown that it is loading, and goes.
            let screen = Screen()
            let handle = QueryHandle<Films.FilmQuery>(in: environment)
            handle.observe(on: screen) { screen, _ in screen.add() }
            _ = handle.get(id: "1")
            await stage.settle()
            #expect(await screen.count > 0)
            withExtendedLifetime(handle) {}
        }
        do {
            // Nobody waits.
            let handle = QueryHandle<Films.FilmQuery>(in: environment)
            _ = handle.get(id: "2")
        }
        do {
            // The observer is gone too.
            let handle = QueryHandle<Films.FilmQuery>(in: environment)
            _ = handle.get(id: "3")
            do {
                let screen = Screen()
                handle.observe(on: screen) { screen, _ in screen.add() }
            }
            await stage.settle()
            withExtendedLifetime(handle) {}
        }
        do {
            // The answer has come.
            let screen = Screen()
            let handle = QueryHandle<Films.FilmQuery>(in: environment)
            _ = handle.get(id: "4")
            await stage.answer(Films.film("4", "one"))
            handle.observe(on: screen) { screen, _ in screen.add() }
        }
        #expect(misuses.isEmpty)
    }

    @Test func anAnswerThatNobodySeesIsReported() async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        #expect(handle.get(id: "1").isLoading)
        await stage.answer(Films.film("1", "one"))
        while misuses.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        #expect(misuses == misuse(.answerUnseen))
        withExtendedLifetime(handle) {}
    }

    @Test func anAnswerThatSomebodySeesIsNoMistake() async throws {
        // Each in an environment of its own, because one reading shows that the program reads.
        func isReported(_ see: @Sendable (Stage, QueryHandle<Films.FilmQuery>) -> any Sendable) async throws -> Bool {
            let stage = Stage()
            let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
            _ = handle.get(id: "1")
            await stage.answer(Films.film("1", "one"))
            let seen = see(stage, handle)
            try await Task.sleep(for: .milliseconds(2_500))
            defer { withExtendedLifetime((seen, handle)) {} }
            return !stage.log.misuses.isEmpty
        }
        async let read = isReported { $1.get(id: "1").data?.film?.title }
        async let shown = isReported { $1.result.data?.film?.title }
        async let once = isReported { stage, _ in stage.environment.read(Films.FilmQuery(id: "1")).data?.film?.title }
        async let tracked = isReported { stage, handle in
            stage.environment.track { handle.get(id: "1").data != nil }.1
        }
        let reports = try await [read, shown, once, tracked]
        #expect(reports == [false, false, false, false])
    }

    @Test func anOptimisticChangeThatIsLetGoAtOnceIsReported() async throws {
        // No time passes.
        let stage = Stage(provoking: Self.everyMisuse, clock: HandClock())
        let environment = stage.environment
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        for _ in 0..<2 { _ = environment.applyUpdate(file: "App/Film.swift", line: 7) { _ in } }
        #expect(stage.log.misuses == misuse(.changeLetGo, "App/Film.swift:7"))
    }

    @Test func anOptimisticChangeThatWasSeenKeptOrRevertedIsNoMistake() async throws {
        let clock = HandClock()
        let stage = Stage(clock: clock)
        let environment = stage.environment
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        func apply() -> OptimisticLayer {
            environment.applyUpdate { try $0.get("1")?.setValue("two", forField: "title") }
        }
        do {
            let layer = apply()
            #expect(environment.read(Films.FilmQuery(id: "1")).data?.film?.title == "two")
            withExtendedLifetime(layer) {}
        }
        apply().revert()
        environment.revert([apply(), apply()])
        apply().replace { _ in }
        do {
            // Nobody happened to read while it was shown.
            let layer = apply()
            clock.advance(by: .milliseconds(20))
            withExtendedLifetime(layer) {}
        }
        #expect(stage.log.misuses.isEmpty)
    }

    @Test func aPageWithoutAReferenceIsReported() async {
        let list = FragmentHandle<Todos.TodoList>(nil, in: environment)
        list.loadNext(2)
        list.loadPrevious(2)
        list.loadAll(upTo: 10)
        #expect(misuses == misuse(.pageWithoutReference, list.core.component))
        #expect(stage.network.sent.isEmpty)
    }

    @Test func aPreloadThatIsLetGoAtOnceIsReported() async {
        let clock = HandClock()
        let stage = Stage(provoking: Self.everyMisuse, clock: clock)
        _ = stage.environment.preload(Films.FilmQuery(id: "1"))
        #expect(stage.log.misuses == misuse(.preloadLetGo))
        do {
            // The pointer has been over a link for a while.
            let preload = stage.environment.preload(Films.TitleQuery(id: "2"))
            clock.advance(by: .milliseconds(20))
            withExtendedLifetime(preload) {}
        }
        do { _ = QueryHandle(stage.environment.preload(Films.TitleQuery(id: "3"))) }
        stage.environment.preload(Films.TitleQuery(id: "4")).cancel()
        #expect(stage.log.misuses.count == 1)
    }

    @Test func environmentsOverABaseReportOnceTogether() async {
        let (log, network) = (EventLog(provoking: Self.everyMisuse), ScriptedNetwork())
        let base = environment.base()
        for _ in 0..<3 {
            let over = RelayEnvironment(over: base, network: network) { log.add($0) }
            FragmentHandle<Todos.TodoList>(nil, in: over).loadNext(1)
        }
        #expect(log.misuses.count == 1)
    }
}
