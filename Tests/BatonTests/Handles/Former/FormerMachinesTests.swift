import Testing

@testable import Baton

/// The machines of queries beside those before them, on the same random histories.
@Suite struct FormerMachinesTests {
    private static func holds(_ condition: Bool, _ comment: @autoclosure () -> String) {
        if !condition { Issue.record(Comment(rawValue: comment())) }
    }

    private static func same(_ left: FetchMachine.Phase, _ right: FormerFetchMachine.Phase) -> Bool {
        "\(left)" == "\(right)"
    }

    private static func same(_ left: [FetchMachine.Effect], _ right: [FormerFetchMachine.Action]) -> Bool {
        left.map { "\($0)" } == right.map { "\($0)" }
    }

    // MARK: - Policies

    @Test(arguments: FetchPolicy.allCases, RenderPolicy.allCases)
    func policies(_ policy: FetchPolicy, _ renderPolicy: RenderPolicy) {
        for seed in 0..<400 {
            var random = SeededGenerator(seed: UInt64(seed))
            var machine = FetchMachine(policy: policy, renderPolicy: renderPolicy)
            var former = FormerFetchMachine(policy: policy, renderPolicy: renderPolicy)
            for _ in 0..<80 {
                let availability = QueryMachineTests.availability(&random)
                let number =
                    Bool.random(using: &random) ? machine.request ?? 1 : Int.random(in: 1...20, using: &random)
                let isTrue = Bool.random(using: &random)
                let event: FetchMachine.Event
                var actions: [FormerFetchMachine.Action] = []
                switch Int.random(in: 0..<13, using: &random) {
                case 0:
                    event = .variablesChanged(availability, isFetched: number > 10, mayShowStale: isTrue)
                    actions = former.variablesChanged(availability, isFetched: number > 10, mayShowStale: isTrue)
                // A handle that rests is asked as for the first time.
                case 1 where !former.isResting:
                    event = .fetchKeyChanged(availability, isFetched: isTrue)
                    actions = former.fetchKeyChanged(availability, isFetched: isTrue)
                case 2, 1:
                    event = .refetched(availability)
                    actions = former.refetch(availability)
                case 3:
                    event = .refreshed
                    actions = former.refresh()
                case 4:
                    event = .retried(availability)
                    actions = former.retry(availability)
                case 5:
                    event = .emptied(asksAgain: isTrue)
                    actions = former.emptied(asksAgain: isTrue)
                case 6:
                    event = .cancelled(availability)
                    actions = former.cancelled(availability)
                case 7:
                    event = .skipped
                    actions = former.skipped()
                case 8, 9:
                    let errors = Bool.random(using: &random) ? [] : [GraphQLError(message: "no")]
                    let isObject = Bool.random(using: &random)
                    event = .landed(number, isObject ? .object : .null, errors: errors, availability, hasNext: isTrue)
                    _ = former.answered(
                        number, isObject ? .object : .null, errors: errors, availability: availability, hasNext: isTrue)
                case 10:
                    event = .failed(number, QueryMachineTests.error, availability)
                    _ = former.failed(number, QueryMachineTests.error, availability: availability)
                case 11:
                    event = .completed(number)
                    _ = former.completed(number)
                default:
                    event = .dataChanged(availability)
                    _ = former.recovers(with: availability)
                }
                let effects = machine.handle(event)
                Self.holds(Self.same(effects, actions), "\(event): \(effects), not \(actions)")
                let isSame =
                    Self.same(machine.phase, former.phase) && machine.request == former.request
                    && machine.fetchError == former.fetchError && machine.isResting == former.isResting
                    && machine.mayRecover == former.mayRecover
                Self.holds(isSame, "\(event): \(machine), not \(former)")
            }
        }
    }

    // MARK: - Queries

    /// A history of a handle with both machines.
    private struct History {
        let material: QueryMachineTests.Material
        var machine: QueryMachine
        var former: FormerQueryMachine
        var random: SeededGenerator
        var outcome = GeneratedOutcome()
        var changes = 0

        /// What the requests of one event were told, and what was given back.
        struct GeneratedOutcome: Equatable {
            var calls: [String] = []
            var resumes = false
        }

        /// What the shell of the former machine showed.
        var formerReading: Reading?
        /// The operations of the former machine, by whether they are kept.
        var formerAsked = 0
        var formerKept = false
        var retained = 0
        var formerOutcome = GeneratedOutcome()

        mutating func perform(_ actions: [FormerQueryMachine.Action], hadQuery: Bool) {
            for action in actions {
                switch action {
                case .start(let number): formerOutcome.calls.append("start \(number)")
                case .abandon(let number): formerOutcome.calls.append("abandon \(number)")
                case .finish(let number):
                    formerOutcome.calls.append("finish \(number)")
                case .leave(let keeping):
                    if keeping {
                        if formerKept { formerAsked -= 1 }
                        formerKept = true
                    } else if hadQuery {
                        formerAsked -= 1
                    }
                case .forgetShown:
                    if formerKept { formerAsked -= 1 }
                    formerKept = false
                case .forgetRead, .endRead, .endSearch, .resumeRefetches: break
                case .show(let shown, let publish):
                    let content: Reading.Content =
                        switch shown {
                        case .loading: .loading
                        case .failure(let error): .failure(error)
                        case .null, .data: .data(nil)
                        case .same: formerReading?.content ?? .loading
                        }
                    formerReading = Reading(after: formerReading, content, changedBy: publish)
                }
            }
        }

        mutating func former(_ event: FormerQueryMachine.Event, hadQuery: Bool) {
            perform(former.on(event), hadQuery: hadQuery)
        }

        /// Sends an event to both. Questions are answered at once.
        mutating func send(_ event: QueryMachine.Event, facts: Inquiry.Facts, _ same: FormerQueryMachine.Event) {
            let hadQuery = machine.requested != nil
            var events = [event]
            while let event = events.popLast() {
                for effect in machine.handle(event) {
                    switch effect {
                    case .inquire(let inquiry): events.append(.known(facts, inquiry))
                    case .start(let start): outcome.calls.append("start \(start.number)")
                    case .abandon(let number): outcome.calls.append("abandon \(number)")
                    case .finish(let number): outcome.calls.append("finish \(number)")
                    case .release: retained -= 1
                    default: break
                    }
                }
            }
            former(same, hadQuery: hadQuery)
            check("\(same)")
        }

        mutating func check(_ event: String) {
            let isSame =
                FormerMachinesTests.same(machine.phase, former.phase) && machine.request == former.request
                && machine.fetchError == former.fetchError && machine.isResting == former.isResting
                && machine.errors == former.errors && machine.connection == former.connection
            FormerMachinesTests.holds(isSame, "\(event): another state")
            FormerMachinesTests.holds(outcome == formerOutcome, "\(event): \(outcome), not \(formerOutcome)")
            FormerMachinesTests.holds(retained == formerAsked, "\(event): \(retained) retains, not \(formerAsked)")
            let reading = machine.reader.reading
            let isShown =
                reading?.revision == formerReading?.revision
                && reading?.storeChange?.publish == formerReading?.storeChange?.publish
                && reading.map { "\($0.content)" } == formerReading.map { "\($0.content)" }
            FormerMachinesTests.holds(isShown, "\(event): shows another reading")
        }

        /// Reads with both until both show the newest.
        mutating func look() {
            var steps = 0
            while machine.reading(at: changes) == nil, steps < 10 {
                steps += 1
                let effects = machine.handle(.looked(changes: changes, publish: changes))
                let question = effects.first { $0.place == .caller }
                switch question {
                case .read(let task):
                    FormerMachinesTests.holds(former.next(at: changes) == .read, "the former does not read")
                    let found = [QueryMachine.Found.data, .nothing, .failure].randomElement(using: &random) ?? .data
                    let (isMissing, isDifferent) = (Bool.random(using: &random), Bool.random(using: &random))
                    let read = material.read(found, isMissingData: isMissing, isDifferent: isDifferent)
                    _ = machine.handle(.read(read, task, publish: changes))
                    let same: FormerQueryMachine.Found =
                        switch found {
                        case .data: .data
                        case .nothing: .nothing
                        case .failure: .failure
                        }
                    _ = former.read(same, isMissingData: isMissing, since: former.reader.moves, at: changes)
                    let action = former.present(isDifferent: isDifferent, publish: changes)
                    perform(action.map { [$0] } ?? [], hadQuery: true)
                case .search(let task):
                    FormerMachinesTests.holds(
                        former.next(at: changes) == .seek(isFirst: task.turn == .first), "the former does not search")
                    let availability = QueryMachineTests.availability(&random)
                    _ = machine.handle(.sought(nil, availability, task))
                    _ = former.sought(availability, at: changes)
                default:
                    FormerMachinesTests.holds(former.next(at: changes) == .present, "the former shows nothing")
                    let action = former.present(isDifferent: false, publish: changes)
                    perform(action.map { [$0] } ?? [], hadQuery: true)
                }
                check("a look")
            }
            FormerMachinesTests.holds(steps < 10 && former.next(at: changes) == .none, "the former goes on")
            FormerMachinesTests.holds(machine.showsMissingData == former.showsMissingData, "missing data")
        }

        mutating func act() {
            let number = Bool.random(using: &random) ? machine.request ?? 1 : Int.random(in: 1...9, using: &random)
            let errors = Bool.random(using: &random) ? [] : [GraphQLError(message: "no")]
            let (availability, isTrue) = (QueryMachineTests.availability(&random), Bool.random(using: &random))
            let facts = Inquiry.Facts(
                availability: availability, isFetched: isTrue, mayShowStale: .random(using: &random), errors: errors)
            let last = machine.requested
            let known = machine.fetch.policy.looksIntoStore && last != nil ? availability : .unknown
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1:
                let query = QueryMachineTests.Asked(material.operations[Int.random(in: 0..<3, using: &random)])
                retained += 1
                formerAsked += 1
                send(
                    .asked(Inquiry.Ask(query: query, last: last, novelty: .operation, preloaded: nil)), facts: facts,
                    .variablesChanged(
                        availability, isFetched: isTrue, mayShowStale: facts.mayShowStale, errors: errors))
            case 2, 3:
                guard let last, !machine.isResting else { return }
                let query = QueryMachineTests.Asked(last.operation)
                send(
                    .asked(Inquiry.Ask(query: query, last: last, novelty: .fetchKey, preloaded: nil)), facts: facts,
                    .fetchKeyChanged(availability, isFetched: isTrue))
            case 4: send(.refetched(Completion()), facts: facts, .refetched(known))
            case 5: send(.retried, facts: facts, .retried(known))
            case 6: send(.refreshed(nil, because: nil), facts: facts, .refreshed)
            case 7: send(.cancelled, facts: facts, .cancelled(last == nil ? .unknown : availability))
            // A skip after a reset releases its operation now.
            case 8 where !machine.isResting: send(.skipped, facts: facts, .skipped)
            case 8, 9: send(.emptied(asksAgain: isTrue), facts: facts, .emptied(asksAgain: isTrue))
            case 10, 11:
                let isObject = Bool.random(using: &random)
                let payload = QueryMachineTests.payload(
                    isObject ? .object : .null, errors: errors, hasNext: isTrue, publish: Epoch(changes))
                send(
                    .landed(number, payload), facts: facts,
                    .answered(
                        number, isObject ? .object : .null, errors: errors,
                        availability: isObject ? .available(fetchedAt: nil) : availability, hasNext: isTrue,
                        publish: changes))
            case 12:
                send(
                    .failed(number, QueryMachineTests.error), facts: facts,
                    .failed(number, QueryMachineTests.error, availability))
            default:
                if isTrue {
                    send(.completed(number), facts: facts, .completed(number))
                } else {
                    send(.connected(number, .connected), facts: facts, .connected(number, .connected))
                }
            }
        }
    }

    @Test(arguments: FetchPolicy.allCases, RenderPolicy.allCases)
    func queries(_ policy: FetchPolicy, _ renderPolicy: RenderPolicy) {
        let material = QueryMachineTests.Material()
        for seed in 0..<150 {
            var history = History(
                material: material, machine: QueryMachine(policy: policy, renderPolicy: renderPolicy),
                former: FormerQueryMachine(policy: policy, renderPolicy: renderPolicy),
                random: SeededGenerator(seed: UInt64(seed)))
            for _ in 0..<80 {
                history.act()
                if Bool.random(using: &history.random) { history.changes += 1 }
                if Bool.random(using: &history.random) { history.look() }
            }
            let hadQuery = history.machine.requested != nil
            for case .release in history.machine.handle(.closed) { history.retained -= 1 }
            history.former(.closed, hadQuery: hadQuery)
            Self.holds(history.retained == 0, "retains after the end")
        }
    }
}
