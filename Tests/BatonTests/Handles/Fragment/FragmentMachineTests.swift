import RandomCases
import Testing

@testable import Baton

/// The machine of a fragment handle as a value, and what it retains and watches.
@Suite struct FragmentMachineTests {
    /// References to rows of two queries, and what a read of them gives.
    private struct Material {
        let stage = Stage()
        let targets: [GeneratedCode.FragmentTarget]
        let dependencies: Dependencies

        init() {
            let store = stage.environment.store
            let operations = (0..<2).map { store.bind(Films.FilmQuery(id: "\($0)")) }
            targets = operations.flatMap { operation in
                let use = OperationUse(operation)
                return (0..<2).map { _ in GeneratedCode.FragmentTarget(use: use, record: operation.root, collection: 0)
                }
            }
            let first = operations[0]
            dependencies = store.read(at: first.root, first.reader, after: nil).dependencies
        }
    }

    /// Every retain is released once and every watch is ended, whatever the order of reads and changes.
    @Test(arguments: RandomCases.seeds(60)) func retainsAndWatchesEndOnce(_ seed: Int) {
        let material = Material()
        var random = SeededGenerator(seed: UInt64(seed))
        var (retained, watched) = ([ObjectIdentifier: Int](), Set<ObjectIdentifier>())
        var tasks: [ReadTask<GeneratedCode.FragmentTarget?>] = []
        var (changes, subscriptions) = (0, 0)

        func target() -> (GeneratedCode.FragmentTarget?, isOwn: Bool) {
            guard Int.random(in: 0..<5, using: &random) > 0 else { return (nil, false) }
            let target = material.targets.randomElement(using: &random)
            let isOwn = Int.random(in: 0..<4, using: &random) > 0
            if let target, isOwn { retained[ObjectIdentifier(target.owner), default: 0] += 1 }
            return (target, isOwn)
        }
        let (first, isOwn) = target()
        var machine = FragmentMachine(first, isOwn: isOwn)

        func send(_ event: FragmentMachine.Event) {
            let (reading, read) = (machine.reader.reading, machine.reader.result)
            let effects = machine.handle(event).all
            let isReplaced =
                reading != nil && reading !== machine.reader.reading || read != nil && read !== machine.reader.result
            let isDiscarded = effects.contains {
                if case .caller(.discard(let old, let oldRead)) = $0 {
                    old === reading && oldRead === read
                } else {
                    false
                }
            }
            if isReplaced, !isDiscarded { Issue.record("seed \(seed): something goes inside the lock") }
            for effect in effects {
                switch effect {
                case .inLock(.subscribe):
                    subscriptions += 1
                    let id = SubscriptionID(slot: UInt32(subscriptions), use: 0)
                    send(.subscribed(id, hasChanged: Bool.random(using: &random)))
                case .inLock(.clear), .inLock(.unsubscribe), .caller(.notify), .caller(.confirm),
                    .caller(.reportMissing), .caller(.discard):
                    break
                case .inLock(.watch(let operation)):
                    if retained[ObjectIdentifier(operation)] ?? 0 > 0 { watched.insert(ObjectIdentifier(operation)) }
                case .inLock(.unwatch(let operation)): watched.remove(ObjectIdentifier(operation))
                case .caller(.mark): changes += 1
                case .queue(.release(let use)):
                    let count = (retained[ObjectIdentifier(use.operation)] ?? 0) - 1
                    #expect(count >= 0, "released too often")
                    retained[ObjectIdentifier(use.operation)] = count
                    // An operation that nobody retains loses its watchers.
                    if count == 0 { watched.remove(ObjectIdentifier(use.operation)) }
                }
            }
        }
        func look() {
            if case .unknown(let task) = machine.look(at: changes, since: nil) { tasks.append(task) }
        }
        func answer() {
            guard !tasks.isEmpty else { return }
            let task = tasks.remove(at: Int.random(in: 0..<tasks.count, using: &random))
            guard let target = task.target, retained[ObjectIdentifier(target.owner)] ?? 0 > 0 else {
                return send(.refused(.data(nil), task))
            }
            let result = RowResult(
                isMissingData: Bool.random(using: &random), problems: nil, dependencies: material.dependencies, row: nil
            )
            if result.isMissingData { watched.insert(ObjectIdentifier(target.owner)) }
            let failure = LastFetches.Failure(number: Int.random(in: 0..<3, using: &random), error: .noResponse)
            let choice = [FragmentMachine.Choice.data, .data, .loading, .failure(failure)].randomElement(using: &random)
            let read = FragmentMachine.Read(
                result: result, isDifferent: Bool.random(using: &random), choice: choice ?? .data)
            send(.read(read, task, publish: changes))
        }
        for _ in 0..<80 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let (next, isOwn) = target()
                send(.updated(next, isOwn: isOwn, showsStatus: Bool.random(using: &random)))
            case 1: changes += 1
            case 2: send(.statusChanged)
            case 3: send(.referenceShown)
            case 4, 5: look()
            default: answer()
            }
            #expect(retained.values.allSatisfy { $0 <= 1 } && retained.values.reduce(0, +) <= 1)
        }
        send(.closed)
        while !tasks.isEmpty { answer() }
        changes += 1
        look()
        #expect(tasks.isEmpty && retained.values.allSatisfy { $0 == 0 } && watched.isEmpty)
        let (late, isLateOwn) = target()
        send(.updated(late, isOwn: isLateOwn, showsStatus: false))
        #expect(retained.values.allSatisfy { $0 == 0 })
    }
}
