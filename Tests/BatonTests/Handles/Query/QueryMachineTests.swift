import RandomCases
import Testing

@testable import Baton

/// The machine of a query handle as a value: events in, effects out. Questions are answered in any order, and other
/// events come in between, as from several threads.
@Suite struct QueryMachineTests {
    static let error = RelayError.httpStatus(500, body: "")
    static let missing = Coverage.missing(MissingPlace(path: ["film"]))
    static let available = Coverage.available(fetchedAt: nil)

    /// A call of a handle, without a type.
    final class Asked: RequestedQuery {
        let operation: BoundOperation
        var key: (any Hashable & Sendable)? { nil }

        init(_ operation: BoundOperation) { self.operation = operation }

        func following(_ event: BoundOperation) -> any RequestedQuery { Asked(event) }
    }

    /// Operations to ask for, and what a read of them gives.
    struct Material {
        let stage = Stage()
        let operations: [BoundOperation]
        let dependencies: Dependencies

        init() {
            let store = stage.environment.store
            operations = (0..<4).map { store.bind(Films.FilmQuery(id: "\($0)")) }
            let first = operations[0]
            dependencies = store.read(at: first.root, first.reader, after: nil).dependencies
        }

        func read(
            _ found: QueryMachine.Found, isMissingData: Bool = false, isDifferent: Bool = true, isArriving: Bool = false
        ) -> QueryMachine.Read {
            let result = RowResult(
                isMissingData: isMissingData, problems: nil, dependencies: dependencies, row: nil)
            return QueryMachine.Read(
                result: result, isDifferent: isDifferent, found: found, isArriving: isArriving)
        }
    }

    static func payload(
        _ presence: StagedResponse.DataPresence, errors: [GraphQLError] = [], hasNext: Bool = false,
        publish: Epoch? = nil, event: BoundOperation? = nil
    ) -> StoredPayload {
        StoredPayload(
            presence: presence, errors: errors, extensions: nil, bodies: PayloadBodies(), hasNext: hasNext,
            epoch: publish, event: event)
    }

    static func availability(_ random: inout SeededGenerator) -> Coverage {
        [missing, available, .stale].randomElement(using: &random) ?? missing
    }

    private enum Question {
        case inquire(Inquiry)
        case look(QueryMachine.Question, changes: Int)
    }

    /// Several threads that share a machine. Each has questions that it has not answered yet.
    private struct Threads {
        let material: Material
        var machine: QueryMachine
        var random: SeededGenerator
        var questions: [Question] = []
        var retained: [ObjectIdentifier: Int] = [:]
        var begun: Set<Int> = []
        var inFlight: Set<Int> = []
        var subscriptions: Set<SubscriptionID> = []
        var searches: Set<SubscriptionID> = []
        var waiting: [ObjectIdentifier: Completion] = [:]
        var resumed: Set<ObjectIdentifier> = []
        var changes = 0
        var lastSubscription: UInt32 = 0

        init(_ material: Material, _ policy: FetchPolicy, _ renderPolicy: RenderPolicy, seed: UInt64) {
            self.material = material
            machine = QueryMachine(policy: policy, renderPolicy: renderPolicy)
            random = SeededGenerator(seed: seed)
        }

        func holds(_ condition: Bool, _ comment: @autoclosure () -> String = "a step") {
            // `#expect` takes a millisecond, which is too much for so many checks.
            if !condition { Issue.record(Comment(rawValue: comment())) }
        }

        mutating func send(_ event: QueryMachine.Event) {
            for effect in machine.handle(event).all { perform(effect) }
        }

        mutating func perform(_ effect: QueryMachine.Effect) {
            switch effect {
            case .inLock(.subscribe(_, let former)):
                holds(former.map { subscriptions.contains($0) } ?? true, "replaces what is not there")
                let id = subscribe(instead: former, \.subscriptions)
                send(.subscribed(id, hasChanged: Int.random(in: 0..<4, using: &random) == 0))
            case .inLock(.subscribeSearch(_, let former, let changes)):
                holds(former.map { searches.contains($0) } ?? true, "replaces what is not there")
                let id = subscribe(instead: former, \.searches)
                send(.searching(id, changes: changes, hasChanged: Int.random(in: 0..<4, using: &random) == 0))
            case .inLock(.clear(let id)): holds(subscriptions.contains(id))
            case .inLock(.unsubscribe(let id)):
                holds(subscriptions.remove(id) != nil || searches.remove(id) != nil, "ends what is over")
            case .caller(.inquire(let inquiry)): questions.append(.inquire(inquiry))
            case .caller(.mark): changes += 1
            case .caller(.confirmArriving): if Bool.random(using: &random) { changes += 1 }
            case .caller(.refuse), .caller(.show), .caller(.reportMissing), .queue(.log), .caller(.discard): break
            case .queue(.start(let start)):
                holds(begun.insert(start.number).inserted && machine.fetch.policy != .storeOnly)
                holds(retained[ObjectIdentifier(start.query.operation)] ?? 0 > 0, "sends what is not retained")
                inFlight.insert(start.number)
            case .queue(.abandon(let number)), .queue(.finish(let number)):
                holds(inFlight.remove(number) != nil, "ends a request twice")
            case .queue(.release(let operation)):
                let count = (retained[ObjectIdentifier(operation)] ?? 0) - 1
                holds(count >= 0, "released too often")
                retained[ObjectIdentifier(operation)] = count
            case .queue(.resume(let completion, _)):
                holds(resumed.insert(ObjectIdentifier(completion)).inserted, "resumed twice")
            }
        }

        mutating func subscribe(
            instead former: SubscriptionID?, _ all: WritableKeyPath<Threads, Set<SubscriptionID>>
        ) -> SubscriptionID {
            if let former { self[keyPath: all].remove(former) }
            lastSubscription += 1
            let id = SubscriptionID(slot: lastSubscription, use: 0)
            self[keyPath: all].insert(id)
            return id
        }

        mutating func retain(_ operation: BoundOperation) { retained[ObjectIdentifier(operation), default: 0] += 1 }

        /// Answers one of the questions.
        mutating func answer() {
            guard let index = questions.indices.randomElement(using: &random) else { return }
            switch questions.remove(at: index) {
            case .inquire(let inquiry):
                let facts = Inquiry.Facts(
                    availability: QueryMachineTests.availability(&random), isFetched: .random(using: &random),
                    mayShowStale: .random(using: &random),
                    errors: Bool.random(using: &random) ? [] : [GraphQLError(message: "no")])
                send(.known(facts, inquiry))
            case .look(.read(let task), _):
                let found = [QueryMachine.Found.data, .nothing, .failure].randomElement(using: &random) ?? .data
                let isMissingData = Bool.random(using: &random)
                let read = material.read(
                    found, isMissingData: isMissingData, isDifferent: .random(using: &random),
                    isArriving: isMissingData && Bool.random(using: &random))
                let isMoved = machine.requested !== task.target || machine.reader.moves != task.moves
                let before = machine.reader.result
                send(.read(read, task, publish: changes))
                holds(!isMoved || machine.reader.result === before, "took what is old")
            case .look(.search(let task), _):
                let gap = Bool.random(using: &random) ? material.dependencies : nil
                send(.sought(gap, gap == nil ? QueryMachineTests.availability(&random) : .unknown, task, publish: 0))
            case .look(.nothing, let changes): send(.looked(changes: changes, publish: changes))
            }
        }

        /// Something that a caller, a request or the store does.
        mutating func act() {
            let number = Bool.random(using: &random) ? inFlight.first ?? 1 : Int.random(in: 1...9, using: &random)
            let errors = Bool.random(using: &random) ? [] : [GraphQLError(message: "no")]
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: ask(.operation)
            case 2: ask(.fetchKey)
            case 3, 4, 5:
                let completion = Completion()
                waiting[ObjectIdentifier(completion)] = completion
                send(Bool.random(using: &random) ? .refetched(completion) : .retried(completion))
            case 6: send(.refreshed(nil, because: nil))
            case 7: send(.cancelled)
            case 8: send(.skipped)
            case 9: send(.emptied(asksAgain: .random(using: &random)))
            case 10, 11, 12:
                let event = Int.random(in: 0..<4, using: &random) == 0 ? material.operations.last : nil
                if let event { retain(event) }
                send(
                    .landed(
                        number,
                        QueryMachineTests.payload(
                            Bool.random(using: &random) ? .object : .null, errors: errors,
                            hasNext: .random(using: &random), publish: Epoch(changes), event: event)))
            case 13: send(.failed(number, QueryMachineTests.error))
            case 14: send(.completed(number))
            case 15: send(.connected(number, .connected, isRestored: changes % 2 == 0))
            case 16: changes += 1
            default: look()
            }
        }

        /// Returns true if the newest reading is on show; otherwise there is a question to answer.
        @discardableResult
        mutating func look() -> Bool {
            guard case .unknown(let question) = machine.look(at: changes) else { return true }
            questions.append(.look(question, changes: changes))
            return false
        }

        mutating func ask(_ novelty: Inquiry.Ask.Novelty) {
            let last = machine.requested
            switch novelty {
            case .operation:
                let operation = material.operations[Int.random(in: 0..<3, using: &random)]
                retain(operation)
                send(.asked(Inquiry.Ask(query: Asked(operation), last: last, novelty: novelty, preloaded: nil)))
            case .fetchKey:
                guard let last, !machine.isResting else { return }
                let next = Asked(last.operation)
                send(.asked(Inquiry.Ask(query: next, last: last, novelty: novelty, preloaded: nil)))
            }
        }

        /// What holds after every step.
        func check() {
            holds(inFlight == Set(machine.request.map { [$0] } ?? []), "another request than the machine's")
            holds(searches.count <= 1 && subscriptions.count <= 1)
            holds(searches.isEmpty || machine.fetch.mayRecover, "a search without a failure")
            let isWaited = waiting.keys.contains { !resumed.contains($0) }
            let isAsked = questions.contains {
                guard case .inquire(let inquiry) = $0 else { return false }
                switch inquiry.cause {
                case .refetched, .retried: return true
                case .asked, .cancelled, .landed, .failed: return false
                }
            }
            holds(!isWaited || machine.request != nil || isAsked, "a refetch waits for nothing")
            if case .data = machine.reader.shown, machine.reader.subject == .present, machine.fetch.isShowing {
                holds(machine.reader.result != nil, "shows what was not read")
            }
        }

        /// The operations that the machine and the questions hold.
        var held: [ObjectIdentifier: Int] {
            var held: [ObjectIdentifier: Int] = [:]
            let operations = [machine.requested?.operation, machine.shownBefore?.operation].compactMap(\.self)
            for operation in operations { held[ObjectIdentifier(operation), default: 0] += 1 }
            for case .inquire(let inquiry) in questions {
                guard case .asked(let ask) = inquiry.cause, ask.novelty == .operation else { continue }
                held[ObjectIdentifier(ask.query.operation), default: 0] += 1
            }
            return held
        }
    }

    @Test(arguments: FetchPolicy.allCases, RenderPolicy.allCases)
    func anyOrderOfEventsAndAnswersKeepsWhatAlwaysHolds(_ policy: FetchPolicy, _ renderPolicy: RenderPolicy) {
        let material = Material()
        for seed in RandomCases.seeds(50) {
            var threads = Threads(material, policy, renderPolicy, seed: UInt64(seed))
            for _ in 0..<80 {
                if Bool.random(using: &threads.random) { threads.act() } else { threads.answer() }
                threads.check()
                threads.holds(threads.retained.filter { $0.value > 0 } == threads.held, "retains what it does not hold")
            }
            threads.send(.closed)
            while !threads.questions.isEmpty { threads.answer() }
            for _ in 0..<10 { threads.act() }
            while !threads.questions.isEmpty { threads.answer() }
            threads.holds(threads.retained.values.allSatisfy { $0 == 0 }, "retains after the end")
            threads.holds(threads.inFlight.isEmpty && threads.subscriptions.isEmpty && threads.searches.isEmpty)
            threads.holds(Set(threads.waiting.keys) == threads.resumed, "somebody waits after the end")
        }
    }

    @Test(arguments: FetchPolicy.allCases, RenderPolicy.allCases)
    func aLookEndsAndThenNothingIsAskedFor(_ policy: FetchPolicy, _ renderPolicy: RenderPolicy) {
        let material = Material()
        for seed in RandomCases.seeds(34) {
            var threads = Threads(material, policy, renderPolicy, seed: UInt64(1000 + seed))
            for _ in 0..<40 {
                threads.act()
                while !threads.questions.isEmpty { threads.answer() }
                var looks = 0
                while !threads.look(), looks < 40 {
                    while !threads.questions.isEmpty { threads.answer() }
                    looks += 1
                }
                threads.holds(looks < 40, "does not end")
                threads.holds(threads.machine.status.isFetching == (threads.machine.request != nil))
            }
        }
    }

    @Test func aPayloadIsShownWithItsPublishAndAChangeWithThatOfTheStore() {
        let material = Material()
        var threads = Threads(material, .networkOnly, .full, seed: 1)
        let asked = Asked(material.operations[0])
        threads.retain(asked.operation)
        threads.send(.asked(Inquiry.Ask(query: asked, last: nil, novelty: .operation, preloaded: nil)))
        threads.answer()
        threads.send(.landed(1, Self.payload(.object, publish: 7)))
        func read(at changes: Int, isDifferent: Bool = true, publish: Int) -> Int? {
            let task = ReadTask<any RequestedQuery>(asked, of: threads.machine.reader, at: changes)
            _ = threads.machine.handle(.read(material.read(.data, isDifferent: isDifferent), task, publish: publish))
            guard case .shown(let reading) = threads.machine.look(at: changes) else { return nil }
            return reading.storeChange?.publish
        }
        #expect(read(at: 0, publish: 5) == 7)
        #expect(read(at: 1, publish: 8) == 8)
        #expect(read(at: 2, isDifferent: false, publish: 9) == 8)
    }
}
