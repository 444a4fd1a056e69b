// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Testing

@testable import Baton

/// The application's code may call the environment wherever it runs, because no lock is held. If a lock were held, a
/// call would never return, and the watchdog would report it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReentranceTests {
    /// The places where the application's code runs.
    enum Place: CaseIterable, Sendable {
        // The deinitializers of the application's values are places too.
        case observer, invalidationObserver, log, update, answerUpdater, optimisticUpdater, dataID, conversion
        case missingFieldHandler, network, clock, variables, fetchKey, endOfAKey, endOfAValue
    }

    @Test(arguments: Place.allCases) func theEnvironmentMayBeCalledFromEachPlace(_ place: Place) async {
        let probe = Probe(place)
        let isOver = await Self.endsInTime {
            await Self.scenario(probe)
            #expect(probe.calls > 0, "nothing ran there")
            probe.end()
            // A value may be freed, and call, on a thread that nothing waits for.
            while probe.isBusy { await Task.yield() }
            await Self.settle(probe.environment)
            #expect(probe.environment.store.layerCount == 0)
            #expect(probe.environment.store.checkInvariants() == [])
            // The environment still works.
            let film = try? await probe.environment.fetch(ProbedQuery(id: "9")).data?.film
            #expect(film?.title == "Film 9")
        }
        #expect(isOver, "a call from there never returned")
    }

    /// Runs, three times, everything that calls the application's code in one of the places.
    private static func scenario(_ probe: Probe) async {
        let environment = probe.environment
        let looker = Looker()
        for round in 0..<3 {
            let handle = QueryHandle<ProbedQuery>(in: environment, fetchPolicy: .storeAndNetwork)
            handle.observe(on: looker) { _, _ in probe.reach(.observer) }
            environment.onInvalidation(of: ["1"], on: looker) { _, _ in probe.reach(.invalidationObserver) }
            _ = handle.get(probe.variables("1"), fetchKey: ProbedKey(round, probe))
            _ = handle.get(probe.variables("1"), fetchKey: ProbedKey(round, probe))
            await handle.refetched()
            _ = try? await environment.fetch(ProbedQuery(variables: probe.variables("1")))
            try? environment.update { records in
                probe.reach(.update)
                try records.get("1")?.setValue("updated", forField: "title")
            }
            let update = environment.applyUpdate { records in
                probe.reach(.optimisticUpdater)
                try records.get("1")?.setValue("expected", forField: "title")
            }
            // The update makes the layer run again.
            try? environment.update { try $0.get("1")?.setValue("below", forField: "title") }
            _ = try? await environment.commit(
                ProbedMutation(variables: probe.variables("1")),
                optimistic: .update { records in
                    probe.reach(.optimisticUpdater)
                    try records.get("1")?.setValue("mutated", forField: "title")
                },
                update: { _, _ in probe.reach(.answerUpdater) })
            update.revert()
            // Only the store holds the values of the first response when the second replaces them.
            for _ in 0..<2 { _ = try? await environment.fetch(ProbedQuery(id: "5")) }
            askForTheRest(environment)
            environment.invalidate("1")
            _ = handle.get(probe.variables("2"))
            await handle.refetched()
            environment.collectGarbage()
            if round == 1 { environment.reset(refetching: true) }
            await settle(environment)
        }
        while environment.operations.releaseOldest() {}
        environment.collectGarbage()
        await settle(environment)
    }

    /// Asks for a query whose data is complete except for one field, which a handler knows.
    private static func askForTheRest(_ environment: RelayEnvironment) {
        let query = ProbedQuery(id: "6")
        let retention = environment.retain(query)
        try? environment.update { records in
            let film = try records.get("6") ?? records.create("6", type: "Film")
            for field in ["id", "title", "released"] { try film.setValue("6", forField: field) }
            try records.root.setLinkedRecord(film, forField: "film", arguments: ["id": "6"])
        }
        _ = QueryHandle<ProbedQuery>(in: environment, fetchPolicy: .storeOrNetwork).get(query.variables)
        retention.release()
    }

    private static func settle(_ environment: RelayEnvironment) async {
        while true {
            let counts = environment.activity.counts
            if counts.requests == 0 && counts.deliveries == 0 && counts.collections == 0 { return }
            await environment.activity.change(after: counts.revision)
        }
    }

    /// Returns false if the body has not ended after a hundred times its usual time. The wait is on a thread that
    /// nothing else needs.
    private static func endsInTime(_ body: @escaping @Sendable () async -> Void) async -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        Task {
            await body()
            isDone.signal()
        }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: isDone.wait(timeout: .now() + 240) == .success) }
        }
    }

    private actor Looker {}
}

/// Calls the environment from one place, a bounded number of times, also recursively.
final class Probe: Sendable {
    private struct State {
        var left = 6
        var calls = 0
        var running = 0
        var isOver = false
    }

    /// The probe of the running test, for code that can only reach static values.
    static let current = Guarded<Probe?>(nil)

    let place: ReentranceTests.Place
    private let state = Guarded(State())
    private let made = Guarded<RelayEnvironment?>(nil)
    private let spare = RelayEnvironment(network: ProbedNetwork(nil))

    init(_ place: ReentranceTests.Place) {
        self.place = place
        let handler = MissingFieldHandler.scalar { [weak self] field in
            self?.reach(.missingFieldHandler)
            return field.name == "rating" ? .value(3) : .unknown
        }
        let environment = RelayEnvironment(
            network: ProbedNetwork(self),
            options: StoreOptions(
                releaseBufferSize: 1, expiration: .seconds(60), memoryBudget: 4_000,
                missingFieldHandlers: [handler, .node], history: StoreOptions.History(fields: true)),
            clock: ProbedClock(self), log: { [weak self] _ in self?.reach(.log) },
            dataID: { [weak self] _, _ in
                self?.reach(.dataID)
                return nil
            })
        made.withLock { $0 = environment }
        Self.current.withLock { $0 = self }
    }

    var environment: RelayEnvironment { made.withLock { $0 } ?? spare }
    var calls: Int { state.withLock { $0.calls } }
    var isBusy: Bool { state.withLock { $0.running > 0 } }
    func end() { state.withLock { $0.isOver = true } }
    func variables(_ id: String) -> ProbedQuery.Variables { ProbedQuery.Variables(id: id, probe: self) }

    /// Called when the application's code runs at a place.
    func reach(_ place: ReentranceTests.Place) {
        guard place == self.place, let environment = made.withLock({ $0 }) else { return }
        let call = state.withLock { state -> Int? in
            guard state.left > 0, !state.isOver else { return nil }
            state.left -= 1
            state.running += 1
            state.calls += 1
            return state.calls
        }
        guard let call else { return }
        use(environment, resets: call % 3 == 0)
        state.withLock { $0.running -= 1 }
    }

    /// Reads, updates, asks, collects and resets.
    private func use(_ environment: RelayEnvironment, resets: Bool) {
        let handle = QueryHandle<ProbedQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        let token = handle.observe(on: Quiet.shared) { _, _ in }
        _ = (handle.get(.init(id: "1")), handle.result, handle.explanation?.description, handle.isMissingData)
        if let row = handle.result.data?.film?.row {
            let fragment = FragmentHandle(row, in: environment)
            _ = (fragment.get(), environment.read(row)?.title)
        }
        try? environment.update { try $0.get("1")?.setValue("probed", forField: "title") }
        let update = environment.applyUpdate { try $0.get("1")?.setValue("expected", forField: "title") }
        update.replace { try $0.get("1")?.setValue("replaced", forField: "title") }
        update.revert()
        environment.retain(ProbedQuery(id: "1")).release()
        environment.invalidate("1")
        environment.invalidate(type: "Film")
        environment.invalidate()
        environment.onInvalidation(of: ["1"], on: Quiet.shared) { _, _ in }.cancel()
        environment.holdCollection().release()
        environment.collectGarbage()
        let bytes = environment.snapshot()
        _ = (
            environment.records.description, environment.memoryUse, environment.explain("1", field: "title").description
        )
        try? environment.restore(from: bytes)
        if resets { environment.reset(refetching: true) }
        token.cancel()
    }

    private actor Quiet { static let shared = Quiet() }
}

/// Answers at once.
struct ProbedNetwork: NetworkLayer {
    private let probe: WeakProbe

    init(_ probe: Probe?) { self.probe = WeakProbe(probe) }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        probe.probe?.reach(.network)
        guard case .string(let id)? = request.variables.first?.value else { throw Unreachable() }
        // Each answer has another date, so that the old date is released.
        let film = #"{"id":"\#(id)","title":"Film \#(id)","released":"\#(1900 + request.id)-05"}"#
        let field = request.kind == .mutation ? "touch" : "film"
        return NetworkResponse(body: Array(#"{"data":{"\#(field)":\#(film)}}"#.utf8))
    }
}

final class WeakProbe: Sendable {
    weak let probe: Probe?
    init(_ probe: Probe?) { self.probe = probe }
}

/// The system's clock, which reports its calls.
struct ProbedClock: Clock {
    private let probe: WeakProbe
    private let clock = ContinuousClock()

    init(_ probe: Probe) { self.probe = WeakProbe(probe) }

    var now: ContinuousClock.Instant {
        probe.probe?.reach(.clock)
        return clock.now
    }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A fetch key whose comparison is the application's code.
struct ProbedKey: Hashable, Sendable {
    final class Life: Sendable {
        private let probe: WeakProbe
        init(_ probe: Probe) { self.probe = WeakProbe(probe) }
        deinit { probe.probe?.reach(.endOfAKey) }
    }

    let number: Int
    let probe: WeakProbe
    let life: Life

    init(_ number: Int, _ probe: Probe) {
        self.number = number
        self.probe = WeakProbe(probe)
        life = Life(probe)
    }

    static func == (left: ProbedKey, right: ProbedKey) -> Bool {
        left.probe.probe?.reach(.fetchKey)
        return left.number == right.number
    }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A date that reports when it is made and when it is released.
struct ProbedDate: ScalarConversion, Sendable, Hashable {
    final class Life: Sendable {
        deinit { Probe.current.withLock { $0 }?.reach(.endOfAValue) }
    }

    let text: String
    let life = Life()

    static func decode(_ json: JSONValue) throws -> ProbedDate {
        Probe.current.withLock { $0 }?.reach(.conversion)
        guard case .string(let text) = json else { throw Day.Malformed() }
        return ProbedDate(text: text)
    }

    static func encode(_ value: ProbedDate) -> JSONValue { .string(value.text) }
    static func == (left: ProbedDate, right: ProbedDate) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// `query Probed($id: ID!) { film(id: $id) { id title rating released ...ProbedRow } }`
struct ProbedQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Probed", kind: .query, text: "",
        normalization: "(id){film(id:$id):+Film{id:ID! title:String rating:Int released:@ProbedDate}}",
        reader: "(id){film(id:$id):+Film{id:ID! title:String rating:Int released:@ProbedDate ~ProbedRow}}",
        scalars: [GeneratedCode.ScalarDecoder("ProbedDate", ProbedDate.self)])
    var variables: Variables
    init(variables: Variables) { self.variables = variables }
    init(id: String) { self.init(variables: Variables(id: id)) }

    struct Variables: GeneratedCode.Variables, Hashable {
        let id: String
        let probe: WeakProbe

        init(id: String, probe: Probe? = nil) {
            self.id = id
            self.probe = WeakProbe(probe)
        }

        var __fields: GeneratedCode.InputFields {
            probe.probe?.reach(.variables)
            return .init("id") { $0.addString(id) }
        }
        static func == (left: Variables, right: Variables) -> Bool {
            (left.probe.probe ?? right.probe.probe)?.reach(.variables)
            return left.id == right.id
        }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var film: Film? { __row.optionalObject(0) }
    }

    struct Film: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var title: String? { __row.optionalString(1) }
        var released: ProbedDate? { __row.optionalScalar(3, ProbedDate.self) }
        var row: FragmentReference<ProbedRow>? { __row.optionalFragment(4) }
    }
}

struct ProbedRow: GraphQLFragment {
    static let artifact = GeneratedCode.FragmentArtifact(
        name: "ProbedRow", typeCondition: "Film", reader: "{title:String released:@ProbedDate}",
        scalars: [GeneratedCode.ScalarDecoder("ProbedDate", ProbedDate.self)])

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var title: String? { __row.optionalString(0) }
    }
}

/// `mutation Touch($id: ID!) { touch(id: $id) { id title released } }`
struct ProbedMutation: GraphQLMutation {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Touch", kind: .mutation, text: "",
        normalization: "(id){touch(id:$id):+Film{id:ID! title:String released:@ProbedDate}}",
        reader: "(id){touch(id:$id):+Film{id:ID! title:String released:@ProbedDate}}",
        scalars: [GeneratedCode.ScalarDecoder("ProbedDate", ProbedDate.self)])
    var variables: ProbedQuery.Variables

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
    }
}
