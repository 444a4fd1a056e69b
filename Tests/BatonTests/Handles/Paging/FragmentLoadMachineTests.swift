import RandomCases
import Testing

@testable import Baton

/// The machine of a fragment handle's loads as a value. Questions are answered in any order, and other events come in
/// between, as from several threads.
@Suite struct FragmentLoadMachineTests {
    private struct Threads {
        enum Question {
            case check(Load, resets: Int)
            case place(FragmentLoadMachine.PageAsk, moves: Int)
            case inspect(FragmentLoadMachine.News)
        }

        let operations: [BoundOperation]
        let targets: [GeneratedCode.FragmentTarget]
        let seed: Int
        var machine: FragmentLoadMachine
        var random: SeededGenerator
        var questions: [Question] = []
        var retained: [ObjectIdentifier: Int] = [:]
        /// The loads by number, until they are over.
        var begun: [Int: Load] = [:]
        var awaited: Set<Int> = []
        /// The loads of callers, and those that are over.
        var loads: [Load] = []
        var finished: Set<ObjectIdentifier> = []
        /// The number of the last refetch that was shown.
        var adopted = 0
        var isShown = true
        var isClosed = false

        init(_ stage: Stage, seed: Int) {
            let store = stage.environment.store
            let operations = (0..<4).map { store.bind(Films.FilmQuery(id: "\($0)")) }
            self.operations = operations
            targets = operations.map {
                GeneratedCode.FragmentTarget(use: OperationUse($0), record: $0.root, collection: 0)
            }
            self.seed = seed
            machine = FragmentLoadMachine(targets.first)
            random = SeededGenerator(seed: UInt64(seed))
        }

        func holds(_ condition: Bool, _ comment: @autoclosure () -> String) {
            // `#expect` takes a millisecond, which is too much for so many checks.
            if !condition { Issue.record("seed \(seed): \(comment())") }
        }

        mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

        mutating func load(_ kind: LoadMachine.Kind) -> Load {
            let operation = operations[Int.random(in: 0..<operations.count, using: &random)]
            retained[ObjectIdentifier(operation), default: 0] += 1
            let policy = kind == .refetch ? FetchPolicy.allCases.randomElement(using: &random) : nil
            let load = Load(kind, operation, policy ?? .networkOnly, count: kind == .refetch ? 0 : 3)
            return load
        }

        /// Sends an event. Returns what its caller is told at once.
        @discardableResult
        mutating func send(_ event: FragmentLoadMachine.Event) -> [FragmentLoadMachine.Notice] {
            let effects = machine.handle(event).all
            let ends = effects.drop { if case .queue(.finish) = $0 { false } else { true } }
            holds(
                ends.allSatisfy { if case .queue(.finish) = $0 { true } else { false } },
                "somebody goes on before the rest of the step")
            let statuses = effects.count {
                switch $0 {
                case .queue(.showStatus), .queue(.adopt(_, .shown)), .queue(.restore(_, .shown)): true
                default: false
                }
            }
            holds(statuses <= 1, "shows a status twice")
            return effects.compactMap { perform($0) }
        }

        mutating func perform(_ effect: FragmentLoadMachine.Effect) -> FragmentLoadMachine.Notice? {
            switch effect {
            case .caller(.check(let load, let resets)): questions.append(.check(load, resets: resets))
            case .caller(.place(let ask, _, let moves)): questions.append(.place(ask, moves: moves))
            case .caller(.inspect(let news)): questions.append(.inspect(news))
            case .caller(.tell(let notice)): return notice
            case .queue(.start(let number, let load)):
                holds(!isClosed, "begins after the end")
                holds(begun.keys.allSatisfy { $0 < number }, "begins an old load")
                begun[number] = load
                awaited.insert(number)
            case .queue(.abandon(let number)): holds(awaited.remove(number) != nil, "gives up what is not awaited")
            case .queue(.finish(let number, let load, _)):
                awaited.remove(number)
                begun[number] = nil
                holds(finished.insert(ObjectIdentifier(load)).inserted, "a load ends twice")
            case .queue(.adopt(let operation, _)):
                holds(!isClosed, "shows something after the end")
                retained[ObjectIdentifier(operation), default: 0] += 1
            case .queue(.restore), .queue(.showStatus): break
            case .queue(.release(let operation)):
                let count = (retained[ObjectIdentifier(operation)] ?? 0) - 1
                holds(count >= 0, "released too often")
                retained[ObjectIdentifier(operation)] = count
            case .queue(.refetch(let operation)):
                holds(!isClosed && !machine.loads.isGivenUp, "asks again for what was given up")
                retained[ObjectIdentifier(operation), default: 0] += 1
                refetch(Load(.refetch, operation))
            }
            return nil
        }

        mutating func refetch(_ load: Load) {
            loads.append(load)
            send(.refetched(load))
        }

        mutating func answer() {
            guard let index = questions.indices.randomElement(using: &random) else { return }
            switch questions.remove(at: index) {
            case .check(let load, let resets):
                send(.checked(load, one(in: 2) ? .available(fetchedAt: nil) : .unknown, resets: resets))
            case .place(let ask, let moves):
                let ahead = FragmentLoadMachine.Ahead(
                    cursor: .int(Int.random(in: 0..<3, using: &random)), fetched: nil)
                let load = one(in: 6) ? nil : load(ask.kind)
                let place = load.map { FragmentLoadMachine.Place(load: $0, ahead: ahead, isBusy: one(in: 5)) }
                let asked = questions.count
                let notices = send(.placed(place, ask, moves: moves))
                holds(
                    notices.count + (questions.count - asked) == (place == nil ? 0 : 1),
                    "a caller is not told once what becomes of a page")
                guard case .load(let told)? = notices.first else { return }
                holds(!finished.contains(ObjectIdentifier(told)), "a caller gets what is over")
                if told === load { loads.append(told) }
            case .inspect(let news):
                let facts = FragmentLoadMachine.Facts(
                    availability: one(in: 2) ? .available(fetchedAt: nil) : .unknown, isWhole: one(in: 2),
                    end: .int(Int.random(in: 0..<3, using: &random)))
                send(.known(facts, news))
            }
        }

        /// Something that a caller, a request or the store does.
        mutating func act() {
            let number = one(in: 3) ? Int.random(in: 0..<9, using: &random) : awaited.min() ?? 0
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1: refetch(load(.refetch))
            case 2, 3, 4:
                let kind: LoadMachine.Kind = one(in: 3) ? .previous : .next
                send(.paged(FragmentLoadMachine.PageAsk(kind: kind, count: 3, cause: one(in: 3) ? .ahead : .caller)))
            case 5: if let load = loads.randomElement(using: &random) { send(.cancelled(load)) }
            case 6:
                send(.givenUp)
                holds(begun.isEmpty, "something goes on that was given up")
            case 7: send(.refused(.refetch, .noReference(fragment: "row")))
            case 8:
                let isGivenUp = machine.loads.isGivenUp
                send(.emptied(asksAgain: one(in: 2)))
                holds(begun.values.allSatisfy { $0.kind == .refetch }, "a page outlives its data")
                holds(!isGivenUp || begun.isEmpty, "a reset brings back what was given up")
            case 9: if !isClosed { send(.updated(targets.randomElement(using: &random))) }
            case 10: send(.failed(number, .noResponse))
            default:
                let errors = one(in: 3) ? [GraphQLError(message: "no")] : []
                let presence: StagedResponse.DataPresence = one(in: 4) ? .null : .object
                send(
                    .landed(number, QueryMachineTests.payload(presence, errors: errors, hasNext: one(in: 2))))
            }
        }

        /// What holds after every step.
        func check() {
            let kinds = begun.values.map(\.kind)
            holds(Set(kinds).count == kinds.count, "two loads of a kind at once")
            holds(!kinds.contains(.refetch) || kinds.count == 1, "a page is loaded during a refetch")
            for (number, load) in begun {
                holds(machine.loads.number(of: load.kind) == number, "another load than that of the machine")
            }
            holds(machine.loads.isIdle == begun.isEmpty, "loads that nobody has begun")
            holds(machine.failedLoad == nil || machine.loads.fetchError != nil, "does again what has not failed")
            var held: [ObjectIdentifier: Int] = [:]
            var holders = begun.values.map(\.operation)
            if let adopted = machine.adopted { holders.append(adopted) }
            for case .check(let load, _) in questions { holders.append(load.operation) }
            for operation in holders { held[ObjectIdentifier(operation), default: 0] += 1 }
            holds(retained.filter { $0.value > 0 } == held, "retains what it does not hold")
            let open = loads.filter { !finished.contains(ObjectIdentifier($0)) }
            let known = begun.values.map { ObjectIdentifier($0) }
            for load in open {
                let isAsked = questions.contains { if case .check(let asked, _) = $0 { asked === load } else { false } }
                holds(isAsked || known.contains(ObjectIdentifier(load)), "somebody waits for nothing")
            }
        }
    }

    @Test(arguments: RandomCases.seeds(300)) func anyOrderOfEventsAndAnswersKeepsWhatAlwaysHolds(_ seed: Int) {
        var threads = Threads(Stage(), seed: seed)
        for _ in 0..<100 {
            if threads.one(in: 2) { threads.act() } else { threads.answer() }
            threads.check()
        }
        threads.send(.closed)
        threads.isClosed = true
        threads.check()
        for _ in 0..<10 { threads.act() }
        while !threads.questions.isEmpty { threads.answer() }
        threads.check()
        threads.holds(threads.retained.values.allSatisfy { $0 == 0 }, "retains after the end")
        threads.holds(threads.awaited.isEmpty, "waits after the end")
        threads.holds(threads.finished == Set(threads.loads.map { ObjectIdentifier($0) }), "somebody waits for ever")
    }
}
