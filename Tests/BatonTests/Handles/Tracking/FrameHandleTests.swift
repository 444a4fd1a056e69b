import Testing

@testable import Baton

/// Handles that are made inside a tracked frame, and frames that are never up to date.
@Suite(.timeLimit(.minutes(20))) struct FrameHandleTests {
    let stage = Stage(
        provoking: [.handleOfOneFrame, .frameThatWrites, .frameThatAsksTwice, .frameThatAsksAnew], releaseBufferSize: 0)
    private var environment: RelayEnvironment { stage.environment }

    private func rename(_ title: String, of id: String = "1") throws {
        try environment.update { store in try store.get(DataID(id))?.setValue(.string(title), forField: "title") }
    }

    private var misuses: [LogEvent.Misuse] { stage.log.misuses }

    private func references(_ count: Int) async throws -> (AnyObject, [FragmentReference<Films.FilmRow>]) {
        let list = QueryHandle<Films.ListQuery>(in: environment)
        _ = list.get()
        await stage.answer(Films.list(count))
        let films = try #require(list.get().data?.films)
        return (list, films.compactMap { $0?.row })
    }

    @Test func aFragmentHandleMadeInAFrameIsTold() async throws {
        let (list, rows) = try await references(3)
        let (titles, changed) = environment.track {
            rows.map { FragmentHandle($0, in: environment).get().data?.title }
        }
        #expect(titles.count == 3 && !changed.hasChanged)
        try rename("two", of: "1")
        #expect(changed.hasChanged)
        #expect(await changed.wait())
        #expect(misuses.isEmpty)
        withExtendedLifetime(list) {}
    }

    @Test func aPluralHandleMadeInAFrameIsTold() async throws {
        let (list, rows) = try await references(3)
        let (count, changed) = environment.track { PluralFragmentHandle(rows, in: environment).get().data?.count }
        #expect(count == 3)
        try rename("two", of: "1")
        #expect(changed.hasChanged && misuses.isEmpty)
        withExtendedLifetime(list) {}
    }

    @Test func aQueryHandleMadeInAFrameIsToldOfItsAnswer() async throws {
        func draw() -> (String?, TrackedChange) {
            environment.track {
                QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork).get(id: "1").data?.film?
                    .title
            }
        }
        let (first, changed) = draw()
        #expect(first == nil)
        await stage.answer(Films.film("1", "one"))
        #expect(stage.network.cancelled == 0 && changed.hasChanged)
        #expect(await changed.wait())
        // The old frame keeps the data until the new one is drawn.
        environment.collectGarbage()
        let (second, later) = draw()
        #expect(second == "one" && stage.network.sent.count == 1)
        try rename("two")
        #expect(later.hasChanged && misuses.isEmpty)
    }

    @Test("A handle that is let go while a frame shows it lives on until the frame's object is released or cancelled.")
    func theEndOfTheFrameEndsItsHandles() async throws {
        do {
            let (_, changed) = environment.track {
                QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork).get(id: "1")
            }
            await stage.settle()
            #expect(stage.network.waiting == 1)
            changed.cancel()
        }
        await stage.settle()
        #expect(stage.network.cancelled == 1)
    }

    @Test func theCallersOfAHandleThatAFrameKeepsAreToldOfItsEnd() async throws {
        let stage = stage
        var handle: QueryHandle<Films.FilmQuery>? = QueryHandle(in: environment)
        let results = try #require(handle?.results)
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == .loading)
        let (_, changed) = environment.track { handle?.get(id: "1") }
        handle = nil
        #expect(await iterator.next() == nil)
        await stage.answer(Films.film("1", "one"))
        #expect(changed.hasChanged)
    }

    @Test func aHandleOfOneFrameThatAlwaysAsksIsReportedOnce() async {
        for policy in [FetchPolicy.networkOnly, .storeAndNetwork, .storeOrNetwork] {
            for _ in 0..<2 {
                let (_, changed) = environment.track {
                    QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: policy).get(id: "1")
                }
                changed.cancel()
            }
        }
        #expect(misuses == [LogEvent.Misuse(kind: .handleOfOneFrame, place: "Film")])
    }

    @Test func aFrameThatWritesWhatItHasReadIsReported() async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let (_, before) = try environment.track {
            try rename("two")
            return handle.get(id: "1")
        }
        #expect(misuses.isEmpty && !before.hasChanged, "what is written before the read is no mistake")
        let (_, changed) = try environment.track {
            _ = handle.get(id: "1")
            try rename("three")
        }
        #expect(changed.hasChanged)
        #expect(misuses == [LogEvent.Misuse(kind: .frameThatWrites, place: "Film")])
    }

    /// The ways to change data.
    enum Change: CaseIterable {
        case update, applyUpdate, publish, reset

        /// Makes the change; returns what keeps it.
        func make(in environment: RelayEnvironment) throws -> OptimisticLayer? {
            switch self {
            case .update: try environment.update { try $0.get("1")?.setValue("new", forField: "title") }
            case .publish:
                try environment.publish(.response(json: Films.film("1", "new")), for: Films.FilmQuery(id: "1"))
            case .reset: environment.reset(refetching: false)
            case .applyUpdate:
                return environment.applyUpdate { try $0.get("1")?.setValue("new", forField: "title") }
            }
            return nil
        }
    }

    @Test(arguments: Change.allCases) func aFrameThatChangesWhatItHasReadIsReportedHoweverItDoes(
        _ change: Change
    ) async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let (layer, changed) = try environment.track {
            _ = handle.get(id: "1")
            return try change.make(in: environment)
        }
        #expect(misuses == [LogEvent.Misuse(kind: .frameThatWrites, place: "Film")])
        changed.cancel()
        layer?.revert()
        withExtendedLifetime(handle) {}
    }

    /// The ways to make data stale.
    enum Invalidation: CaseIterable {
        case record, type, query, store

        func make(in environment: RelayEnvironment) {
            switch self {
            case .record: environment.invalidate("1")
            case .type: environment.invalidate(type: "Film")
            case .query: environment.invalidate(Films.FilmQuery(id: "1"))
            case .store: environment.invalidate()
            }
        }
    }

    /// What is stale is shown as before, so that the frame is not drawn without end.
    @Test(arguments: Invalidation.allCases) func aFrameThatInvalidatesWhatItHasReadIsNotDrawnAgain(
        _ invalidation: Invalidation
    ) async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let (_, changed) = environment.track {
            _ = handle.get(id: "1")
            invalidation.make(in: environment)
        }
        await stage.settle()
        #expect(misuses.isEmpty && !changed.hasChanged && stage.network.sent.count == 1)
        changed.cancel()
        withExtendedLifetime(handle) {}
    }

    @Test func aFrameThatCommitsWhatItHasReadIsReported() async throws {
        // The time stands still, because commits count that follow soon after one another.
        let stage = Stage(provoking: [.frameThatWrites], clock: HandClock())
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let like = MutationHandle<Films.SetFavouriteMutation>(in: stage.environment)
        for frame in 0..<4 {
            #expect(stage.log.misuses.isEmpty)
            let (task, changed) = stage.environment.track {
                _ = handle.get(id: "1").data?.film.map { FragmentHandle($0.row, in: stage.environment).get() }
                return Task { try await like.commit(.init(variables: .init(id: "1", favourite: frame % 2 == 0))) }
            }
            while stage.network.waiting == 0 { await Task.yield() }
            await stage.answer(Films.favourite("1", frame % 2 == 0))
            _ = try await task.value
            #expect(changed.hasChanged)
        }
        #expect(stage.log.misuses == [LogEvent.Misuse(kind: .frameThatWrites, place: "SetFavourite")])
        withExtendedLifetime(handle) {}
    }

    @Test func aFrameThatAsksOneHandleTwiceIsReported() async {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        let (_, same) = environment.track { (handle.get(id: "1"), handle.get(id: "1")) }
        #expect(misuses.isEmpty)
        same.cancel()
        let (_, changed) = environment.track { (handle.get(id: "1"), handle.get(id: "2")) }
        #expect(misuses == [LogEvent.Misuse(kind: .frameThatAsksTwice, place: "Film")])
        changed.cancel()
    }

    @Test func aFetchKeyOfEachFrameIsReported() async {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        for frame in 0..<8 {
            let (_, changed) = environment.track { handle.get(id: "1", fetchKey: frame) }
            await stage.answer(Films.film("1", "one"))
            changed.cancel()
        }
        #expect(misuses == [LogEvent.Misuse(kind: .frameThatAsksAnew, place: "Film")])
    }

    @Test func aFetchKeyForEachRefreshIsNoMistake() async {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        for refresh in 0..<20 {
            // Each answer is drawn, and sometimes the user goes on before.
            for _ in 0..<(refresh % 5 == 4 ? 2 : 1) {
                let (_, changed) = environment.track { handle.get(id: "1", fetchKey: refresh) }
                await stage.answer(Films.film("1", "one"))
                changed.cancel()
            }
        }
        for id in 0..<20 {
            let (_, changed) = environment.track { handle.get(id: "\(id % 2)") }
            if stage.network.waiting > 0 { await stage.answer(Films.film("\(id % 2)", "one")) }
            changed.cancel()
        }
        #expect(misuses.isEmpty)
    }
}
