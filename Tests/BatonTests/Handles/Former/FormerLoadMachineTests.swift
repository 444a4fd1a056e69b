import Testing

@testable import Baton

/// The machines of loads and of mutations beside those before them, on the same random histories.
@Suite struct FormerLoadMachineTests {
    private static func text(_ effects: [LoadMachine.Effect]) -> [String] { effects.map { "\($0)" } }
    private static func text(_ actions: [FormerLoadMachine.Action]) -> [String] { actions.map { "\($0)" } }

    @Test(arguments: 0..<400) func loads(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var machine = LoadMachine()
        var former = FormerLoadMachine()
        for _ in 0..<100 {
            let availability = QueryMachineTests.availability(&random)
            let isTrue = Bool.random(using: &random)
            let open = [LoadMachine.Kind.refetch, .next, .previous].compactMap { machine.number(of: $0) }
            let number =
                Bool.random(using: &random) ? open.first ?? 1 : Int.random(in: 1...machine.last + 1, using: &random)
            let event: LoadMachine.Event
            var actions: [FormerLoadMachine.Action] = []
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let policy = FetchPolicy.allCases.randomElement(using: &random) ?? .networkOnly
                event = .refetched(policy, availability)
                actions = former.refetch(policy, availability).actions
            case 1, 2, 3:
                event = .paged(isTrue ? .next : .previous)
                if case .begun(_, let begun) = former.page(isTrue ? .next : .previous) { actions = begun }
            case 4:
                event = .cancelled(number)
                actions = former.cancel(number)
            case 5:
                event = .givenUp
                actions = former.giveUp()
            case 6:
                event = .left
                actions = former.cancelAll()
            case 7:
                event = .refused(.refetch, .noResponse)
                actions = former.refused(.refetch, because: .noResponse)
            case 8, 9, 10:
                let errors = Bool.random(using: &random) ? [] : [GraphQLError(message: "e")]
                let (isObject, isWhole) = (Bool.random(using: &random), Bool.random(using: &random))
                event = .landed(
                    number, isObject ? .object : .null, errors: errors, availability, hasNext: isTrue,
                    isWhole: isWhole)
                actions = former.answered(
                    number, isObject ? .object : .null, errors: errors, availability: availability, hasNext: isTrue,
                    isWhole: isWhole)
            default:
                event = .failed(number, .noResponse, availability)
                actions = former.failed(number, .noResponse, availability: availability)
            }
            let effects = machine.handle(event)
            if Self.text(effects) != Self.text(actions) {
                Issue.record("\(event): \(effects), not \(actions)")
            }
            let isSame =
                machine.fetchError == former.fetchError && machine.moves == former.moves
                && machine.isGivenUp == former.isGivenUp
                && machine.failed.map { "\($0)" } == former.failed.map { "\($0)" }
                && machine.number(of: .refetch) == former.loads[.refetch]
                && machine.number(of: .next) == former.loads[.next]
                && machine.number(of: .previous) == former.loads[.previous]
            if !isSame { Issue.record("\(event): \(machine), not \(former)") }
        }
    }

    @Test(arguments: 0..<400) func mutations(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var machine = MutationMachine<Int>()
        var former = FormerMutationMachine()
        for _ in 0..<60 {
            let number = Int.random(in: 1...10, using: &random)
            let isInFlight = former.inFlight.contains(number)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                _ = machine.handle(.began(CommitStop(), generation: 0))
                _ = former.begin()
            case 2:
                // No commit begins before this reset and ends after it.
                guard !former.isInFlight else { continue }
                _ = machine.handle(.emptied(generation: 0))
                former.forgetOutcome()
            default:
                let effects = machine.handle(.ended(number, number, .data(nil)))
                let isShown = former.end(number)
                if effects.isEmpty == isInFlight { Issue.record("another commit is in flight") }
                if isInFlight, isShown != (machine.response == number) { Issue.record("another outcome is shown") }
            }
            let isSame =
                switch former.shown {
                case .nothing: machine.response == nil
                case .outcome(let number): machine.response == number
                }
            if !isSame || machine.isInFlight != former.isInFlight { Issue.record("another state") }
        }
    }
}
