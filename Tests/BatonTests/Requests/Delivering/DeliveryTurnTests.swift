import Testing

@testable import Baton

/// An actor that counts its deliveries, and notes when its own message had its turn.
private actor BusyScreen {
    var delivered = 0
    var deliveredBeforeMessage: Int?

    func message() { deliveredBeforeMessage = delivered }
}

/// Deliveries share their actor with its other work.
@Suite(.timeLimit(.minutes(20))) struct DeliveryTurnTests {
    private let stage = Stage()

    private func shownHandle() async -> QueryHandle<Films.FilmQuery> {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        return handle
    }

    @Test func aMessageToTheActorHasItsTurnBeforeTheNextDelivery() async throws {
        let handle = await shownHandle()
        let screen = BusyScreen()
        let environment = stage.environment
        handle.observe(on: screen) { screen, _ in
            screen.delivered += 1
            guard screen.delivered < 100 else { return }
            // The message is in the actor's queue before there is another delivery.
            if screen.delivered == 1 { Task { screen.message() } }
            let title = JSONValue.string("title \(screen.delivered)")
            try? environment.update { store in try store.get("1")?.setValue(title, forField: "title") }
        }
        await stage.settle()
        #expect(await screen.delivered == 100)
        #expect(await screen.deliveredBeforeMessage == 1)
    }

    @MainActor @Test func aMessageToTheMainActorHasItsTurnToo() async throws {
        let handle = await shownHandle()
        let environment = stage.environment
        var delivered = 0
        var deliveredBeforeMessage: Int?
        let (note, count) = (
            { @MainActor in deliveredBeforeMessage = delivered },
            { @MainActor in
                delivered += 1
                return delivered
            }
        )
        handle.observe(on: MainActor.shared) { _ in
            let delivered = count()
            guard delivered < 100 else { return }
            if delivered == 1 { Task { note() } }
            try? environment.update { store in
                try store.get("1")?.setValue(.string("title \(delivered)"), forField: "title")
            }
        }
        await stage.settle()
        #expect(delivered == 100)
        let before = try #require(deliveredBeforeMessage)
        #expect(before < 100)
    }
}
