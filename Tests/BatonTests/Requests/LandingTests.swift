import Testing

@testable import Baton

/// Who is told of a publish, and in which order.
@Suite(.timeLimit(.minutes(20))) struct LandingTests {
    /// Notes who was told, one after the other.
    private final class Notes: StoreSubscriber, InvalidationListener {
        private let state = Guarded<[String]>([])
        var all: [String] { state.withLock { $0 } }
        let isGone = false

        func add(_ note: String) { state.withLock { $0.append(note) } }
        func storeDidChange(at epoch: Epoch) { add("reader") }
        func mark(at epoch: Epoch) { add("mark") }
        func tell(at epoch: Epoch) { add("reader") }

        func storeWasInvalidated() -> Bool {
            add("invalidation")
            return true
        }
    }

    private struct Refused: Error {}

    /// An environment with the film 1, a reader of it, a listener, and a layer that fails once the film changes.
    private func stage() async throws -> (environment: RelayEnvironment, network: ScriptedNetwork, notes: Notes) {
        let (network, notes) = (ScriptedNetwork(), Notes())
        let environment = RelayEnvironment(network: network) { event in
            if case .published = event { notes.add("log") }
        }
        try environment.publish(.data(["film": ["id": "1", "title": "Hope"]]), for: Films.TitleQuery(id: "1"))
        let store = environment.store
        let operation = store.bind(Films.TitleQuery(id: "1"))
        let read = store.read(Films.TitleQuery.Data.self, of: operation)
        _ = store.subscribe(notes, to: read.dependencies)
        store.invalidationWatch.add(notes)
        _ = store.apply(
            { source in
                let film = source.get("1")
                if film?.value(forField: "title") != .string("Hope") { throw Refused() }
                try film?.setValue(1, forField: "rating")
            }, failed: { _ in notes.add("layer") })
        return (environment, network, notes)
    }

    private static let order = ["log", "invalidation", "layer"]

    @Test func everybodyIsToldInOneOrder() async throws {
        let (environment, network, notes) = try await stage()
        let before = notes.all.count
        let operation = environment.store.bind(Films.TitleQuery(id: "1"))
        let waiter = Waiter { event in
            guard case .landed = event else { return }
            notes.add("waiter")
        }
        var call = RequestCall(operation: operation)
        call.updater = { source, _ in try source.get("1")?.invalidate() }
        environment.requests.joinOrStart(call, for: waiter)
        while network.waiting == 0 { await Task.yield() }
        network.answer(#"{"data":{"film":{"__typename":"Film","id":"1","title":"Empire"}}}"#)
        while !notes.all.contains("waiter") || notes.all.last != "reader" { await Task.yield() }
        #expect(Array(notes.all[before...].prefix(6)) == Self.order + ["mark", "waiter", "reader"])
        withExtendedLifetime(environment) {}
    }

    @Test func withoutSomebodyWhoWaitsReadersAreToldAtOnce() async throws {
        let (environment, _, notes) = try await stage()
        let before = notes.all.count
        try environment.update { source in
            let film = source.get("1")
            try film?.setValue("Empire", forField: "title")
            try film?.invalidate()
        }
        #expect(Array(notes.all[before...].prefix(4)) == Self.order + ["reader"])
    }

    #if DEBUG
        /// The compiler drops a landing without an error, so a debug build ends the program.
        @Test func aLandingOfWhichNobodyTellsEndsTheProgram() async {
            await #expect(processExitsWith: .failure) { _ = Store().empty() }
            await #expect(processExitsWith: .success) { Store().reset() }
        }
    #endif

    /// The body of an update may publish, of which everybody hears before the update itself lands.
    @Test func aPublishInsideAnUpdaterIsToldAtOnce() async throws {
        let (environment, _, notes) = try await stage()
        let before = notes.all.count
        var inside: [String] = []
        try environment.update { source in
            try environment.update { try $0.get("1")?.setValue("Empire", forField: "title") }
            inside = Array(notes.all[before...])
            try source.get("1")?.setValue(3, forField: "rating")
        }
        #expect(inside.first == "log" && inside.contains("reader"))
    }
}
