import RandomCases
import StoreModel

@testable import Baton

/// One environment with shared handles, and the actions on it, which are repeated.
final class EverythingInUse: Sendable {
    typealias Action = @Sendable (inout SeededGenerator) async -> Void

    let witness = Witness()
    let environment: RelayEnvironment
    let shelves: [QueryHandle<Everything.ShelfQuery>]
    let counter: QueryHandle<Everything.CounterQuery>
    let clock: QueryHandle<Everything.ClockQuery>
    let note: QueryHandle<Everything.NoteQuery>

    init(seed: UInt64, sizes: [Int]) {
        let network = RestlessNetwork(witness, seed: seed, sizes: sizes)
        let options = StoreOptions(
            releaseBufferSize: 1, memoryBudget: 100_000, history: StoreOptions.History(publishes: 32, fields: true))
        environment = RelayEnvironment(network: network, options: options, log: { [witness] in witness.hear($0) })
        let environment = environment
        shelves = FetchPolicy.allCases.prefix(3).map { QueryHandle(in: environment, fetchPolicy: $0) }
        counter = QueryHandle(in: environment, fetchPolicy: .storeAndNetwork)
        clock = QueryHandle(in: environment, fetchPolicy: .storeOnly)
        note = QueryHandle(in: environment, fetchPolicy: .storeOnly)
        ask()
    }

    /// Asks every handle for its state.
    func ask() {
        for (n, shelf) in shelves.enumerated() { _ = shelf.get(.init(n: n)) }
        _ = (counter.get(.init(n: 0)), clock.get(.init(n: 0)), note.get(.init(n: 0)))
    }

    @discardableResult
    func observe(on onlooker: Onlooker) -> [ObservationToken] {
        let rows = shelves.enumerated().map { n, shelf in
            shelf.observe(on: onlooker) { onlooker, result in onlooker.note(result, "shelf \(n)") }
        }
        return rows + [
            counter.observe(on: onlooker) { onlooker, result in onlooker.note(result, "counter") },
            clock.observe(on: onlooker) { onlooker, result in onlooker.note(result, "clock") },
            note.observe(on: onlooker) { onlooker, result in onlooker.note(result, "note") },
        ]
    }

    func actions(_ onlookers: [Onlooker]) -> [Action] {
        [
            { [self] in await fetch(&$0) }, { [self] in await commit(&$0) }, { [self] in await expect(&$0) },
            { [self] in update(&$0) }, { [self] in await push(&$0) }, { [self] in await invalidateOrCollect(&$0) },
            { [self] in look(&$0) }, { [self] in await comeAndGo(&$0, onlookers) },
            { [self] in await leave(&$0, onlookers) },
        ]
    }

    /// Fetches, cancels half of the fetches, and uses a handle for a moment.
    private func fetch(_ generator: inout SeededGenerator) async {
        let floor = witness.floor
        let n = Int.random(in: 0..<3, using: &generator)
        let isAside = Int.random(in: 0..<4, using: &generator) == 0
        let query = Everything.ShelfQuery(variables: .init(n: n))
        let task = Task { [environment] in
            try await environment.fetch(query, configuration: .init(writeResultsToStore: !isAside)).data
        }
        await wait(10, &generator)
        if Bool.random(using: &generator) { task.cancel() }
        let data = try? await task.value
        witness.check(data ?? nil, since: floor, isAside ? "a fetch aside" : "a fetch")
        let policy = FetchPolicy.allCases.randomElement(using: &generator) ?? .networkOnly
        let handle = QueryHandle<Everything.ShelfQuery>(in: environment, fetchPolicy: policy)
        let result = handle.get(.init(n: n), fetchKey: Int.random(in: 0..<3, using: &generator))
        witness.check(result.data, since: floor, "a handle for a moment")
    }

    /// Commits a mutation, usually with an optimistic change, and sometimes cancels it.
    private func commit(_ generator: inout SeededGenerator) async {
        let isUpdating = Int.random(in: 0..<3, using: &generator) == 0
        let isExpected = Int.random(in: 0..<3, using: &generator) > 0
        let task = Task { [self] in try await commit(isExpected: isExpected, isUpdating: isUpdating) }
        await wait(12, &generator)
        if Int.random(in: 0..<3, using: &generator) == 0 { task.cancel() }
        _ = await task.result
    }

    private func commit(isExpected: Bool, isUpdating: Bool) async throws {
        let mutation = Everything.BumpMutation(variables: .init(n: 0))
        let expected = OptimisticUpdate<Everything.BumpMutation>.update { [witness] in
            try Everything.write(witness.tag, ("c0", "p0"), "counter", $0)
        }
        guard isUpdating else {
            _ = try await environment.commit(mutation, optimistic: isExpected ? expected : nil)
            return
        }
        _ = try await environment.commit(mutation, optimistic: isExpected ? expected : nil) { [witness] records, _ in
            try Everything.write(witness.tag, ("c0", "p0"), "counter", records)
        }
    }

    /// Applies an optimistic update, replaces it and reverts it.
    private func expect(_ generator: inout SeededGenerator) async {
        let write: @Sendable (RecordSourceProxy) throws -> Void = { [witness] records in
            try Everything.write(witness.tag, ("c0", "p0"), "counter", records)
        }
        let update = environment.applyUpdate(write)
        await Task.yield()
        if Bool.random(using: &generator) {
            update.replace(with: write)
            await Task.yield()
        }
        update.revert()
        witness.saw("an optimistic update")
    }

    /// Counts the clock up, which happens only here; makes and deletes notes.
    private func update(_ generator: inout SeededGenerator) {
        // One number at a time: concurrent updates land in the order in which they end.
        let mayTick = ticking.withLock { isTicking in
            defer { isTicking = true }
            return !isTicking
        }
        if mayTick { tick() }
        let isGone = Int.random(in: 0..<4, using: &generator) == 0
        try? environment.update { [witness] records in
            guard isGone else { return try Everything.write(witness.tag, ("n", "m"), "note", records) }
            for id in ["n", "m"] where records.get(DataID(id)) != nil { try records.delete(DataID(id)) }
        }
    }

    private let ticking = Guarded(false)

    private func tick() {
        try? environment.update { [witness] in try Everything.write(witness.tag, ("k", "l"), "clock", $0) }
        ticking.withLock { $0 = false }
    }

    /// Publishes events of a server while older responses are on their way.
    private func push(_ generator: inout SeededGenerator) async {
        let store = environment.store
        let operation = store.bind(Everything.moved, variables: ["n": 0])
        store.operations.retain(operation)
        for _ in 0..<Int.random(in: 1..<4, using: &generator) {
            let generation = store.version.generation
            let body = Everything.pair("moved", 0, witness.tag)
            if let event = try? store.normalize(Array(body.utf8), for: operation, generation: generation) {
                await wait(40, &generator)
                store.publish(event, for: operation)
                witness.saw("an event")
            }
            _ = counter.get(.init(n: 0), fetchKey: Int.random(in: 0..<3, using: &generator))
        }
        store.operations.releaseWithoutBuffer(operation)
    }

    /// Invalidates or collects.
    private func invalidateOrCollect(_ generator: inout SeededGenerator) async {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: environment.invalidate()
        case 1: environment.invalidate("s1")
        case 2: environment.invalidate(type: "Item")
        case 3: environment.invalidate(Everything.ShelfQuery.self)
        case 4: environment.invalidate(Everything.CounterQuery(variables: .init(n: 0)))
        case 5: environment.collectGarbage()
        case 6:
            let hold = environment.holdCollection()
            await Task.yield()
            hold.release()
        default: environment.store.collectSome(slices: Int.random(in: 1..<6, using: &generator), size: 16)
        }
    }

    /// Looks at the whole store.
    private func look(_ generator: inout SeededGenerator) {
        let floor = witness.floor
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: checkSnapshot(since: floor)
        case 1: _ = environment.records.description.count
        case 2: _ = environment.explain("i1-3", field: "tag").description
        case 3: _ = environment.explain(Everything.ShelfQuery(variables: .init(n: 1))).description
        default: _ = (environment.memoryUse, environment.records.ids.count)
        }
    }

    /// Checks that a snapshot is one version: a store restored from it has only whole families.
    private func checkSnapshot(since floor: Int) {
        let store = Store()
        do { try store.restore(environment.snapshot()) } catch {
            return witness.complain("a snapshot is refused: \(error)")
        }
        for violation in store.checkInvariants() { witness.complain("of a snapshot: \(violation)") }
        for n in 0..<3 {
            let shelf = store.bind(Everything.ShelfQuery(variables: .init(n: n)))
            let data = store.read(Everything.ShelfQuery.Data.self, at: shelf.root, shelf.reader).data
            witness.check(data, since: floor, "a reader of a snapshot")
        }
    }

    /// Adds and removes observers and fragment handles.
    private func comeAndGo(_ generator: inout SeededGenerator, _ onlookers: [Onlooker]) async {
        guard let onlooker = onlookers.randomElement(using: &generator) else { return }
        let tokens = observe(on: onlooker)
        let floor = witness.floor
        let rows = shelves.compactMap { $0.result.data?.shelf?.items?.first??.row }
        let handles = rows.map { FragmentHandle($0, in: environment) }
        for handle in handles {
            handle.observe(on: onlooker) { onlooker, result in onlooker.note(result, "a row") }
            witness.check(handle.get().data, since: floor, "a fragment")
        }
        if let row = rows.last { handles.first?.show(row) }
        await Task.yield()
        for handle in handles { witness.check(handle.get().data, since: floor, "a fragment") }
        for token in tokens { token.cancel() }
    }

    /// Logs out, usually on the actor of an observer.
    private func leave(_ generator: inout SeededGenerator, _ onlookers: [Onlooker]) async {
        for _ in 0..<Int.random(in: 20..<60, using: &generator) { await Task.yield() }
        // On a busy machine one reset would follow another before any handle has shown something.
        let shown = witness.count(of: "a handle for a moment")
        guard witness.count(of: "a reset") <= 4 * shown || generator.chance(2) else { return }
        if let onlooker = onlookers.randomElement(using: &generator), Bool.random(using: &generator) {
            await onlooker.leave(environment)
        } else {
            witness.nextSession { environment.reset() }
        }
        witness.saw("a reset")
        ask()
    }

    private func wait(_ most: Int, _ generator: inout SeededGenerator) async {
        for _ in 0..<Int.random(in: 0..<most, using: &generator) { await Task.yield() }
    }
}

extension Witness {
    /// Counts the events of the log.
    func hear(_ event: LogEvent) {
        switch event {
        case .fetchFailed: saw("a failure")
        case .fetchCancelled: saw("a cancellation")
        case .collected: saw("a collection")
        case .published(let event):
            switch event.source {
            case .response: saw("a response")
            case .optimistic: saw("an optimistic publish")
            case .revert: saw("a revert")
            default: break
            }
        default: break
        }
    }
}
