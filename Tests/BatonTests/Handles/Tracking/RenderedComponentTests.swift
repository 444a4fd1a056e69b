import Testing

@testable import Baton

/// What `RenderedComponent` guarantees.
@Suite(.timeLimit(.minutes(20))) struct RenderedComponentTests {
    let stage = Stage()

    private func rename(_ title: String) throws {
        try stage.environment.update { store in try store.get(DataID("1"))?.setValue(.string(title), forField: "title")
        }
    }

    /// A component of a query handle, whose list has one film.
    private func component() async throws -> RenderedComponent<Int, String> {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = list.get()
        await stage.answer(Films.list(1))
        let environment = stage.environment
        return RenderedComponent(in: environment) { width in
            let film = list.get().data?.films.compactMap { $0?.row }.first.flatMap { environment.read($0) }
            return "\(width) \(film?.title ?? "")"
        }
    }

    /// Counts what it is told.
    actor Screen {
        private(set) var told = 0
        func tell() { told += 1 }
    }

    @Test("A component returns the frame that it has until what it has read or its input has changed.")
    func frames() async throws {
        let screen = Screen()
        let component = try await component()
        for _ in 0..<3 { #expect(component.frame(8, on: screen) { $0.tell() } == "8 Film 1") }
        #expect(component.frame(9, on: screen) { $0.tell() } == "9 Film 1")
        try rename("one")
        #expect(component.frame(9, on: screen) { $0.tell() } == "9 one")
    }

    @Test("The actor is told once of a change, until the component is drawn again.")
    func telling() async throws {
        let screen = Screen()
        let component = try await component()
        _ = component.frame(8, on: screen) { $0.tell() }
        for title in ["a", "b"] {
            try rename(title)
            await stage.settle()
        }
        #expect(await screen.told == 1)
        _ = component.frame(8, on: screen) { $0.tell() }
        try rename("c")
        await stage.settle()
        #expect(await screen.told == 2)
        withExtendedLifetime(component) {}
    }

    @Test("After the end of the component the actor is told nothing.")
    func end() async throws {
        let screen = Screen()
        do {
            let component = try await component()
            _ = component.frame(8, on: screen) { $0.tell() }
        }
        try rename("one")
        await stage.settle()
        #expect(await screen.told == 0)
    }

    @Test("A change that is drawn before the actor was told of it counts as delivered in the log.") @MainActor
    func counted() async throws {
        let component = try await component()
        func deliveries() -> Int {
            stage.log.events.filter { if case .delivered = $0 { true } else { false } }.count
        }
        _ = component.frame(8, on: MainActor.shared) {}
        let before = deliveries()
        // The main actor draws without a pause, so it cannot be told in between.
        try rename("one")
        #expect(component.frame(8, on: MainActor.shared) {} == "8 one")
        #expect(deliveries() == before + 1)
        await stage.settle()
        #expect(deliveries() == before + 1)
    }
}
