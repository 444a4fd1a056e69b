import Testing

@testable import Baton

/// The whole machine of a query handle, as a value: events in, actions out.
@Suite struct QueryMachineWalkTests {
    static let error = RelayError.httpStatus(500, body: "")
    static let missing = Availability.missing(MissingPlace(path: ["film"]))
    static let available = Availability.available(fetchedAt: nil)

    static func answer(_ number: Int, _ content: FetchMachine.Content = .object, publish: Int? = nil)
        -> QueryMachine.Event
    {
        .answered(number, content, errors: [], availability: available, hasNext: false, publish: publish)
    }

    /// Reads as the shell does; returns the action that shows the result, if there is one.
    static func read(
        _ machine: inout QueryMachine, at changes: Int, _ found: QueryMachine.Found = .data, isDifferent: Bool = true,
        publish: Int = 0
    ) -> QueryMachine.Action? {
        guard machine.next(at: changes) == .read else { return nil }
        guard machine.read(found, isMissingData: false, since: machine.reader.moves, at: changes) else { return nil }
        return machine.present(isDifferent: isDifferent, publish: publish)
    }

    @Test func anAnswerIsShownWithItsPublishAndAChangeWithThatOfTheStore() {
        var machine = QueryMachine(policy: .networkOnly)
        #expect(machine.next(at: 0) == .none)
        #expect(
            machine.on(.variablesChanged(Self.missing, isFetched: false, errors: [])) == [
                .leave(keeping: false), .forgetRead, .start(1), .show(.same, publish: nil),
            ])
        #expect(machine.next(at: 0) == .none)
        #expect(machine.on(Self.answer(1, publish: 7)) == [.finish(1)])
        #expect(Self.read(&machine, at: 0, publish: 5) == .show(.data, publish: 7))
        #expect(machine.next(at: 0) == .none)
        #expect(Self.read(&machine, at: 1, publish: 8) == .show(.data, publish: 8))
        #expect(Self.read(&machine, at: 2, isDifferent: false, publish: 9) == nil)
        #expect(machine.next(at: 2) == .none)
    }

    @Test func whatWasShownIsKeptAndWhatWasNotIsLetGo() {
        var machine = QueryMachine(policy: .storeOnly)
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        #expect(Self.read(&machine, at: 0, .nothing) == .show(.data, publish: nil))
        let second = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        #expect(second == [.leave(keeping: false), .forgetRead])
        #expect(Self.read(&machine, at: 0, isDifferent: true) == .show(.data, publish: nil))
        let third = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        #expect(third == [.leave(keeping: true), .forgetRead])
        #expect(!machine.hasShown)
    }

    @Test func aFailureThatReplacesDataKeepsWhatWasShown() {
        var machine = QueryMachine(policy: .storeOnly)
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        _ = Self.read(&machine, at: 0)
        _ = Self.read(&machine, at: 1, .failure)
        #expect(machine.hasShown)
        _ = Self.read(&machine, at: 2, .nothing)
        #expect(!machine.hasShown)
    }

    @Test func aRefetchIsAStatusOfWhatIsShown() {
        var machine = QueryMachine(policy: .storeOrNetwork)
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        _ = Self.read(&machine, at: 0)
        #expect(machine.on(.refetched(Self.available)) == [.start(1)])
        #expect(machine.next(at: 0) == .present)
        #expect(machine.present(isDifferent: false, publish: 3) == .show(.same, publish: nil))
        #expect(machine.next(at: 0) == .none)
        #expect(machine.on(Self.answer(2)) == [])
        #expect(machine.next(at: 0) == .none)
    }

    @Test func otherVariablesThatNeedNoRequestEndTheWaitForARefetch() {
        var machine = QueryMachine(policy: .storeOrNetwork)
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        _ = machine.on(.refetched(Self.available))
        #expect(
            machine.on(.variablesChanged(Self.available, isFetched: false, errors: [])) == [
                .leave(keeping: false), .forgetRead, .abandon(1), .resumeRefetches,
            ])
    }

    @Test func aFailureLooksForWhatIsMissingUntilItIsThere() {
        var machine = QueryMachine(policy: .storeOrNetwork)
        _ = machine.on(.variablesChanged(Self.missing, isFetched: false, errors: []))
        #expect(
            machine.on(.failed(1, Self.error, Self.missing)) == [
                .finish(1), .show(.failure(Self.error), publish: nil),
            ])
        #expect(machine.next(at: 0) == .seek(isFirst: true))
        #expect(machine.sought(.unknown, at: 0) == .going)
        #expect(machine.next(at: 0) == .none)
        #expect(machine.next(at: 1) == .seek(isFirst: false))
        #expect(machine.sought(Self.available, at: 1) == .ended)
        #expect(machine.fetchError == Self.error)
        #expect(Self.read(&machine, at: 1) == .show(.data, publish: nil))
        #expect(machine.sought(Self.available, at: 2) == .dropped)
    }

    @Test func aReadThatCameTooLateIsNotTakenOver() {
        var machine = QueryMachine(policy: .storeOnly)
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        let moves = machine.reader.moves
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        #expect(machine.read(.data, isMissingData: false, since: moves, at: 0) == false)
        #expect(machine.next(at: 0) == .read)
    }

    @Test func anEmptiedStoreIsAskedForAgain() {
        var machine = QueryMachine(policy: .storeOrNetwork)
        #expect(machine.on(.emptied(asksAgain: true)) == [.forgetRead, .forgetShown, .resumeRefetches])
        _ = machine.on(.variablesChanged(Self.available, isFetched: false, errors: []))
        _ = Self.read(&machine, at: 0)
        #expect(
            machine.on(.emptied(asksAgain: true)) == [
                .forgetRead, .forgetShown, .resumeRefetches, .start(1), .show(.loading, publish: nil),
            ])
    }

    @Test func aClosedMachineIsSilent() {
        var machine = QueryMachine(policy: .networkOnly)
        _ = machine.on(.variablesChanged(Self.missing, isFetched: false, errors: []))
        #expect(
            machine.on(.closed) == [
                .abandon(1), .leave(keeping: false), .endRead, .forgetShown, .endSearch, .resumeRefetches,
            ])
        #expect(machine.on(.closed) == [])
        #expect(machine.on(Self.answer(1)) == [])
    }

    // MARK: - Random walks

    /// `#expect` takes a millisecond, which is too much for hundreds of thousands of checks.
    private static func holds(_ condition: Bool, _ comment: @autoclosure () -> String = "a step of a walk") {
        if !condition { Issue.record(Comment(rawValue: comment())) }
    }

    /// A shell that follows the machine's actions and keeps their state.
    private struct Shell {
        var machine: QueryMachine
        var inFlight: Set<Int> = []
        var hasSearch = false
        var hasRead = false
        /// The number of retained operations: the requested one, and the kept one whose data was shown before.
        var asked = 0
        var isKeeping = false
        var waitsForRefetch = false
        /// True if the newest request was not asked for.
        var isRefresh = false
        var shown: QueryMachine.Shown = .loading
        var changes = 0

        /// True if there is a requested operation: a reset ends the request, and the operation stays.
        var hasAsked: Bool { machine.phase != .idle || machine.isResting }
        /// True if the caller has cancelled, so that only the caller begins another request.
        var isGivenUp = false

        /// Checks that after a cancellation only calls of the handle send anything, whatever is emptied.
        mutating func noteCancellation(_ event: QueryMachine.Event, _ actions: [QueryMachine.Action]) {
            switch event {
            case .cancelled: isGivenUp = isGivenUp || machine.phase != .idle
            case .emptied, .refreshed:
                QueryMachineWalkTests.holds(
                    !isGivenUp || !actions.contains(where: QueryMachineWalkTests.isStart), "came back: \(event)")
            case .variablesChanged, .fetchKeyChanged: isGivenUp = false
            default: if actions.contains(where: QueryMachineWalkTests.isStart) { isGivenUp = false }
            }
            if machine.policy == .storeOnly, case .emptied = event { isGivenUp = false }
        }

        /// True if parts of the data may be shown.
        var showsParts: Bool { machine.showsParts }

        mutating func perform(_ actions: [QueryMachine.Action], former: Bool) {
            for action in actions {
                switch action {
                case .start(let number):
                    QueryMachineWalkTests.holds(!inFlight.contains(number))
                    inFlight.insert(number)
                case .abandon(let number):
                    QueryMachineWalkTests.holds(inFlight.contains(number))
                    inFlight.remove(number)
                case .finish(let number):
                    QueryMachineWalkTests.holds(inFlight.contains(number))
                    inFlight.remove(number)
                    waitsForRefetch = false
                case .leave(let isKept):
                    if isKept {
                        QueryMachineWalkTests.holds(former)
                        if isKeeping { asked -= 1 }
                        isKeeping = true
                    } else if former {
                        asked -= 1
                    }
                case .forgetRead, .endRead: hasRead = false
                case .forgetShown:
                    if isKeeping { asked -= 1 }
                    isKeeping = false
                case .endSearch: hasSearch = false
                case .resumeRefetches: waitsForRefetch = false
                case .show(let shown, _):
                    if shown == .data { QueryMachineWalkTests.holds(hasRead) }
                    if shown != .same { self.shown = shown }
                }
            }
        }

        /// Takes the machine's steps before the shown state is known; the steps end for every content of the store.
        mutating func read(_ random: inout SeededGenerator) {
            var steps = 0
            while true {
                steps += 1
                guard steps < 6 else {
                    Issue.record("does not end")
                    return
                }
                switch machine.next(at: changes) {
                case .none: return
                case .present:
                    perform([machine.present(isDifferent: false, publish: nil)].compactMap(\.self), former: false)
                case .seek:
                    switch machine.sought(QueryMachineWalkTests.availability(&random), at: changes) {
                    case .dropped: Issue.record("asked for a search that it drops")
                    case .ended: hasSearch = false
                    case .going: hasSearch = true
                    }
                case .read:
                    let found = [QueryMachine.Found.data, .nothing, .failure].randomElement(using: &random)!
                    let isFirst = !hasRead
                    let isTaken = machine.read(
                        found, isMissingData: .random(using: &random), since: machine.reader.moves, at: changes)
                    QueryMachineWalkTests.holds(isTaken)
                    hasRead = true
                    let isDifferent = isFirst || .random(using: &random)
                    let action = machine.present(isDifferent: isDifferent, publish: changes)
                    perform([action].compactMap(\.self), former: false)
                }
            }
        }
    }

    static func availability(_ random: inout SeededGenerator) -> Availability {
        [missing, available, .stale].randomElement(using: &random)!
    }

    private static func event(_ shell: Shell, _ random: inout SeededGenerator) -> QueryMachine.Event {
        let availability = availability(&random)
        // Answers of abandoned requests are included.
        let number =
            Int.random(in: 0...1, using: &random) == 0 ? shell.inFlight.first ?? 1 : .random(in: 1...9, using: &random)
        let errors = Bool.random(using: &random) ? [] : [GraphQLError(message: "no")]
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1:
            return .variablesChanged(
                availability, isFetched: .random(using: &random), mayShowStale: .random(using: &random), errors: errors)
        case 2, 3: return .fetchKeyChanged(availability, isFetched: .random(using: &random))
        case 4: return .refetched(availability)
        case 5, 6: return .retried(availability)
        case 7, 8:
            return .answered(
                number, .random(using: &random) ? .object : .null, errors: errors, availability: availability,
                hasNext: .random(using: &random), publish: .random(in: 1...9, using: &random))
        case 9, 10: return .failed(number, error, availability)
        case 11, 12: return .refreshed
        case 13: return .cancelled(availability)
        default: return .emptied(asksAgain: Bool.random(using: &random))
        }
    }

    @Test(arguments: FetchPolicy.allCases, RenderPolicy.allCases)
    func walk(_ policy: FetchPolicy, _ renderPolicy: RenderPolicy) {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            var shell = Shell(machine: QueryMachine(policy: policy, renderPolicy: renderPolicy))
            for _ in 0..<60 {
                var event = Self.event(shell, &random)
                let hadAsked = shell.hasAsked
                if shell.machine.phase == .idle, case .fetchKeyChanged = event {
                    event = .variablesChanged(Self.missing, isFetched: false, errors: [])
                }
                if case .variablesChanged = event { shell.asked += 1 }
                let (phase, isGivenUp) = (shell.machine.phase, shell.isGivenUp)
                let actions = shell.machine.on(event)
                shell.noteCancellation(event, actions)
                if case .refreshed = event {
                    QueryMachineWalkTests.holds(shell.machine.phase == phase, "a refresh leaves what is shown")
                    let starts = policy != .storeOnly && phase != .idle && !isGivenUp
                    QueryMachineWalkTests.holds(actions.contains(where: Self.isStart) == starts)
                    shell.isRefresh = starts && phase != .loading
                } else if actions.contains(where: Self.isStart) {
                    shell.isRefresh = false
                }
                if shell.isRefresh, phase == .showing, case .failed = event {
                    QueryMachineWalkTests.holds(shell.machine.phase == .showing, "a failure takes what was shown")
                }
                if case .refetched = event, actions.contains(where: Self.isStart) { shell.waitsForRefetch = true }
                shell.perform(actions, former: hadAsked)

                QueryMachineWalkTests.holds(
                    shell.inFlight == Set(shell.machine.request.map { [$0] } ?? []), "two requests: \(event)")
                QueryMachineWalkTests.holds(policy != .storeOnly || shell.inFlight.isEmpty)
                QueryMachineWalkTests.holds(
                    !shell.waitsForRefetch || !shell.inFlight.isEmpty, "a refetch waits for nothing: \(event)")
                QueryMachineWalkTests.holds(
                    !shell.hasSearch || Self.mayRecover(shell.machine.phase, policy), "\(event)")
                QueryMachineWalkTests.holds(
                    shell.asked == (shell.hasAsked ? 1 : 0) + (shell.isKeeping ? 1 : 0), "\(event)")

                if Bool.random(using: &random) { shell.changes += 1 }
                if Bool.random(using: &random) { shell.read(&random) }
                if shell.machine.next(at: shell.changes) == .none { Self.expectPhase(of: shell) }
            }
            let hadAsked = shell.hasAsked
            shell.perform(shell.machine.on(.closed), former: hadAsked)
            QueryMachineWalkTests.holds(
                shell.inFlight.isEmpty && !shell.hasSearch && !shell.hasRead && !shell.waitsForRefetch)
            QueryMachineWalkTests.holds(shell.asked == 0)
            for _ in 0..<10 {
                QueryMachineWalkTests.holds(shell.machine.on(Self.event(shell, &random)) == [])
                QueryMachineWalkTests.holds(shell.machine.next(at: shell.changes + 1) == .none)
                QueryMachineWalkTests.holds(shell.machine.present(isDifferent: true, publish: 1) == nil)
                QueryMachineWalkTests.holds(shell.machine.sought(Self.available, at: 0) == .dropped)
                let moves = shell.machine.reader.moves
                QueryMachineWalkTests.holds(
                    shell.machine.read(.data, isMissingData: false, since: moves, at: shell.changes) == false)
            }
        }
    }

    /// True if a failure is shown that data from other operations can end.
    private static func mayRecover(_ phase: FetchMachine.Phase, _ policy: FetchPolicy) -> Bool {
        guard case .failed = phase else { return false }
        return policy != .networkOnly && policy != .storeOnly
    }

    private static func isStart(_ action: QueryMachine.Action) -> Bool {
        if case .start = action { true } else { false }
    }

    /// Checks that the shown state fits the phase, once no step is left.
    private static func expectPhase(of shell: Shell) {
        switch shell.machine.phase {
        case .idle, .loading: QueryMachineWalkTests.holds(shell.shown == .loading)
        case .showing:
            let isPart = shell.showsParts && shell.machine.request != nil && shell.shown == .loading
            QueryMachineWalkTests.holds((shell.shown == .data || isPart) && shell.hasRead)
        case .showingNull: QueryMachineWalkTests.holds(shell.shown == .null)
        case .failed(let error): QueryMachineWalkTests.holds(shell.shown == .failure(error))
        }
    }
}
