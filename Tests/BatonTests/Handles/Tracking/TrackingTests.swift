import RandomCases
import Testing

@testable import Baton

/// What `TrackedChange` guarantees.
@Suite(.timeLimit(.minutes(20))) struct TrackingTests {
    typealias RowHandle = FragmentHandle<Films.FilmRow>
    let stage = Stage(provoking: [.frameThatWrites])

    private func rename(_ title: String, of id: String = "1") throws {
        try stage.environment.update { store in try store.get(DataID(id))?.setValue(.string(title), forField: "title") }
    }

    private func shownHandle() async -> QueryHandle<Films.FilmQuery> {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        return handle
    }

    private func rows(_ count: Int) async throws -> [RowHandle] {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = list.get()
        await stage.answer(Films.list(count))
        let films = try #require(list.get().data?.films)
        return films.compactMap { $0.map { RowHandle($0.row, in: stage.environment) } }
    }

    /// Counts deliveries.
    actor Counter {
        private(set) var count = 0

        func add() { count += 1 }
    }

    /// A handle that changes after the frame has read it, at the moment when the frame asks for its observers.
    private final class Changing: ReadingSource {
        let environment: RelayEnvironment
        let component = "Changing"
        private let made = Observers()
        private let state = Guarded(Reading(after: nil, .loading, changedBy: nil))

        init(_ environment: RelayEnvironment) { self.environment = environment }

        var observers: Observers {
            state.withLock { $0 = Reading(after: $0, .data(nil), changedBy: nil) }
            return made
        }

        func reading() -> Reading { state.withLock { $0 } }
    }

    private var dropped: [String] {
        stage.log.events.compactMap { if case .changeDropped(let event) = $0 { event.component } else { nil } }
    }

    /// Whoever reads frames may end with any of them, as a page that a visitor closes.
    @Test(arguments: [1, 2]) func framesThatNobodyReadsAnyMoreAreNoMistake(_ count: Int) async throws {
        let handle = await shownHandle()
        var left = count
        for await result in stage.environment.frames({ handle.result }) {
            #expect(result.data?.film != nil)
            left -= 1
            if left == 0 { break }
            try rename("two")
        }
        let task = Task { [stage] in
            for await _ in stage.environment.frames({ handle.result }) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await task.value
        #expect(dropped.isEmpty)
    }

    @Test("The log reports an object that is released unused although its frame has read data.")
    func unused() async {
        let handle = await shownHandle()
        let environment = stage.environment
        struct Failure: Error {}
        do {
            _ = environment.track { 1 }
            _ = try? environment.track {
                _ = handle.result
                throw Failure()
            }
            let (_, cancelled) = environment.track { handle.result }
            cancelled.cancel()
            let (_, asked) = environment.track { handle.result }
            #expect(!asked.hasChanged)
            let (_, delivered) = environment.track { handle.result }
            delivered.deliver(on: Counter()) { $0.add() }
        }
        #expect(dropped.isEmpty)
        _ = environment.track { handle.result }.frame
        #expect(dropped == ["Film"])
        #expect(stage.log.events.last?.description.contains("its TrackedChange was released unused") == true)
    }

    @Test func aChangeBeforeThereIsAnObserverIsFound() {
        let source = Changing(stage.environment)
        let tracker = Tracker()
        tracker.note(source, source.reading().revision)
        #expect(tracker.hasChanged && tracker.settle())
    }

    @Test("A change is delivered once, on the actor of the caller's choice.")
    func aChangeIsDeliveredOnce() async throws {
        let handle = await shownHandle()
        let (title, changed) = stage.environment.track { handle.get(id: "1").data?.film?.title }
        #expect(title == "one" && !changed.hasChanged)
        let counter = Counter()
        changed.deliver(on: counter) { $0.add() }
        await stage.settle()
        #expect(await counter.count == 0)
        for title in ["two", "three"] {
            try rename(title)
            await stage.settle()
        }
        #expect(await counter.count == 1 && changed.hasChanged)
        #expect(stage.log.deliveries.map(\.cause) == [.storeChange], "the log knows what was drawn")
        #expect(handle.core.observers.isEmpty, "nothing is observed after the delivery")
    }

    @Test("A change between a read and the end of the frame is delivered too.")
    func aChangeBetweenTheReadAndTheReturnIsDelivered() async throws {
        let handle = await shownHandle()
        let (_, changed) = try stage.environment.track {
            let title = handle.get(id: "1").data?.film?.title
            try rename("two")
            return title
        }
        #expect(changed.hasChanged)
        let counter = Counter()
        changed.deliver(on: counter) { $0.add() }
        await stage.settle()
        #expect(await counter.count == 1)
    }

    @Test("A request that the frame itself begins is part of the frame, and no change of it.")
    func whatAFrameBeginsIsPartOfIt() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let (state, changed) = stage.environment.track { handle.get(id: "1") }
        #expect(state == .loading && !changed.hasChanged, "the request of the frame itself changes nothing")
        let counter = Counter()
        changed.deliver(on: counter) { $0.add() }
        await stage.answer(Films.film("1", "one"))
        await stage.settle()
        #expect(await counter.count == 1)
    }

    @Test("A change of data that the frame has not read delivers nothing.")
    func whatTheFrameHasNotReadDeliversNothing() async throws {
        let rows = try await rows(3)
        let (_, changed) = stage.environment.track { rows[0].get() }
        try rename("other", of: "2")
        await stage.settle()
        #expect(!changed.hasChanged)
        try rename("other", of: "1")
        #expect(changed.hasChanged)
    }

    /// An observer that the frame has woken reads what it likes, while the frame is still being drawn.
    @Test func whatAnObserverReadsBelongsToNoFrame() async throws {
        let rows = try await rows(3)
        let counter = Counter()
        rows[0].observe(on: counter) { counter, _ in
            _ = rows[1].get()
            counter.add()
        }
        await stage.settle()
        let (_, changed) = try await stage.environment.track {
            try rename("two")
            while await counter.count < 2 { await Task.yield() }
            return rows[2].get()
        }
        try rename("other", of: "2")
        #expect(!changed.hasChanged)
        try rename("other", of: "3")
        #expect(changed.hasChanged)
    }

    @Test("A notification that leaves the state as it was delivers nothing.")
    func anEqualStateDeliversNothing() async throws {
        let handle = await shownHandle()
        let (_, changed) = stage.environment.track { handle.result }
        let counter = Counter()
        changed.deliver(on: counter) { $0.add() }
        handle.core.storeDidChange(at: 0)
        try rename("one")
        await stage.settle()
        #expect(await counter.count == 0 && !changed.hasChanged)
        try rename("two")
        await stage.settle()
        #expect(await counter.count == 1)
    }

    @Test("A change of data that an inner frame has read does not change the outer frame.")
    func aFrameInsideAnotherIsTrackedByItself() async throws {
        let rows = try await rows(3)
        let environment = stage.environment
        let (inner, outer) = environment.track {
            _ = rows[0].get()
            let inner = environment.track { rows[1].get() }.changed
            _ = rows[2].get()
            return inner
        }
        try rename("other", of: "2")
        #expect(inner.hasChanged && !outer.hasChanged)
        try rename("other", of: "3")
        #expect(outer.hasChanged)
    }

    @Test func everyKindOfReadRegisters() async throws {
        let rows = try await rows(2)
        let references = rows.compactMap(\.reference)
        let plural = PluralFragmentHandle(references, in: stage.environment)
        let query = await shownHandle()
        let environment = stage.environment
        let frames = [
            environment.track { _ = query.result }.changed, environment.track { _ = query.previousData }.changed,
            environment.track { _ = rows[0].get() }.changed, environment.track { _ = plural.get() }.changed,
            environment.track { _ = environment.read(references[0]) }.changed,
            environment.track { _ = rows[0].isMissingData }.changed,
            environment.track { _ = environment.result(of: references[0]) }.changed,
            environment.track { _ = environment.result(of: DeferredReference(references[0])) }.changed,
            environment.track { _ = rows[0].reference }.changed, environment.track { _ = plural.references }.changed,
        ]
        #expect(frames.allSatisfy { !$0.hasChanged })
        try rename("other")
        #expect(frames.map(\.hasChanged) == frames.map { _ in true })
    }

    @Test func aReferenceThatChangesIsTracked() async throws {
        let rows = try await rows(2)
        let references = rows.compactMap(\.reference)
        try rename("same", of: "1")
        try rename("same", of: "2")
        let plural = PluralFragmentHandle(references, in: stage.environment)
        let environment = stage.environment
        let (shown, changed) = environment.track { rows[0].reference }
        let (_, others) = environment.track { plural.references }
        #expect(shown == references[0] && !changed.hasChanged && !others.hasChanged)
        rows[0].show(references[1])
        plural.show(references.reversed())
        #expect(changed.hasChanged, "the data of both references is equal")
        #expect(others.hasChanged)
        let (_, data) = environment.track { rows[1].get() }
        rows[1].show(references[0])
        #expect(!data.hasChanged)
    }

    @Test func theStateOfARequestIsTracked() async {
        let handle = await shownHandle()
        let (isFetching, changed) = stage.environment.track { handle.isFetching }
        #expect(!isFetching && !changed.hasChanged)
        async let refetched = handle.refetched()
        while stage.network.waiting == 0 { await Task.yield() }
        #expect(changed.hasChanged)
        await stage.answer(Films.film("1", "one"))
        _ = await refetched
    }

    @Test func aMutationInFlightIsTracked() async throws {
        let handle = MutationHandle<Films.SetFavouriteMutation>(in: stage.environment)
        let (isFetching, changed) = stage.environment.track { handle.isFetching }
        #expect(!isFetching)
        async let response = handle.commit(Films.SetFavouriteMutation(variables: .init(id: "7", favourite: true)))
        while stage.network.waiting == 0 { await Task.yield() }
        #expect(changed.hasChanged)
        await stage.answer(Films.favourite("7", true))
        _ = try await response
    }

    @Test("After the release of the object nothing is observed.")
    func nothingIsObservedAfterTheRelease() async throws {
        let handle = await shownHandle()
        let counter = Counter()
        do {
            let (_, changed) = stage.environment.track { handle.result }
            changed.deliver(on: counter) { $0.add() }
            #expect(!handle.core.observers.isEmpty)
        }
        #expect(handle.core.observers.isEmpty)
        try rename("two")
        await stage.settle()
        #expect(await counter.count == 0)
    }

    @Test func aCancelledChangeIsNotDelivered() async throws {
        let handle = await shownHandle()
        let (_, changed) = stage.environment.track { handle.result }
        let counter = Counter()
        changed.deliver(on: counter) { $0.add() }
        changed.cancel()
        try rename("two")
        await stage.settle()
        #expect(await counter.count == 0 && !changed.hasChanged)
        #expect(await !changed.wait())
    }

    @Test func aFrameThatThrowsObservesNothing() async {
        struct Failure: Error {}
        let handle = await shownHandle()
        #expect(throws: Failure.self) {
            try stage.environment.track {
                _ = handle.result
                throw Failure()
            }
        }
        #expect(handle.core.observers.isEmpty)
    }

    @Test func aChangeCanBeAwaited() async throws {
        let handle = await shownHandle()
        let (_, changed) = stage.environment.track { handle.result }
        async let hasChanged = changed.wait()
        try rename("two")
        #expect(await hasChanged)
        #expect(await !changed.wait(), "it is told once")
    }

    @Test func aCancelledWaitEnds() async {
        let handle = await shownHandle()
        let (_, changed) = stage.environment.track { handle.result }
        let task = Task { await changed.wait() }
        task.cancel()
        #expect(await !task.value)
        let other = Task { await changed.wait() }
        await Task.yield()
        changed.cancel()
        #expect(await !other.value)
    }

    @Test("A task that the frame starts is not part of it once the frame is drawn.")
    func aTaskOfTheFrameIsNoPartOfItLater() async throws {
        let rows = try await rows(2)
        let (task, changed) = stage.environment.track {
            Task {
                while !Task.isCancelled { await Task.yield() }
                _ = rows[0].get()
            }
        }
        task.cancel()
        await task.value
        try rename("two")
        #expect(!changed.hasChanged)
    }

    @Test func aFrameIsDrawnAsynchronously() async throws {
        let rows = try await rows(2)
        let (_, changed) = await stage.environment.track {
            _ = rows[0].get()
            await Task.yield()
            _ = rows[1].get()
        }
        try rename("two", of: "2")
        #expect(changed.hasChanged)
    }

    /// A screen of rows, each a frame of its own inside the frame of the screen.
    private actor RowScreen {
        private let environment: RelayEnvironment
        private let rows: [RowHandle]
        private(set) var lines: [String?]
        private(set) var draws = 0
        private var changes: [TrackedChange?]

        init(_ environment: RelayEnvironment, _ rows: [RowHandle]) {
            self.environment = environment
            self.rows = rows
            lines = rows.map { _ in nil }
            changes = rows.map { _ in nil }
        }

        func draw() { for index in rows.indices { draw(index) } }

        private func draw(_ index: Int) {
            let (line, changed) = environment.track { rows[index].get().data?.title }
            draws += 1
            lines[index] = line
            changes[index] = changed
            changed.deliver(on: self) { $0.draw(index) }
        }

        /// True if every row shows the newest state.
        var isCurrent: Bool { zip(lines, rows).allSatisfy { $0 == $1.get().data?.title } }
    }

    /// Random publishes from several threads while the screen draws: in the end it shows the newest state, and no row
    /// was drawn without a change.
    @Test(arguments: RandomCases.seeds(6, from: 0 as UInt64)) func noChangeIsLost(_ seed: UInt64) async throws {
        let rows = try await rows(20)
        let environment = stage.environment
        let screen = RowScreen(environment, rows)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await screen.draw() }
            for worker in 0..<4 as Range<UInt64> {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 31 &+ worker)
                    for step in 0..<60 {
                        let id = "\(Int.random(in: 1...20, using: &random))"
                        try? environment.update { store in
                            try store.get(DataID(id))?.setValue(.string("\(worker) \(step)"), forField: "title")
                        }
                        if Bool.random(using: &random) { await Task.yield() }
                    }
                }
            }
        }
        await stage.settle()
        #expect(await screen.isCurrent)
        #expect(await screen.draws <= 20 + 240)
    }
}
