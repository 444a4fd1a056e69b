import Testing

@testable import Baton

/// What holds for refetches and pages after every event, whatever came before.
@Suite struct LoadMachineTests {
    private static let policies: [FetchPolicy] = [
        .networkOnly, .storeOrNetwork, .storeAndNetwork, .storeOnly, .networkOrStore,
    ]

    @Test(arguments: 0..<200) func everyLoadBeginsAndEndsOnce(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 1))
        var machine = LoadMachine()
        var begun: Set<Int> = []
        var started: Set<Int> = []
        var finished: Set<Int> = []
        var adopted: [Int] = []
        func follow(_ actions: [LoadMachine.Action]) {
            for action in actions {
                switch action {
                case .start(let number):
                    #expect(begun.contains(number) && started.insert(number).inserted)
                case .abandon(let number): #expect(started.contains(number) && !finished.contains(number))
                case .adopt(let number):
                    #expect(machine.loads[.refetch] == number || !machine.loads.values.contains(number))
                    #expect(adopted.last.map { $0 < number } ?? true, "a newer refetch is never replaced")
                    adopted.append(number)
                case .finish(let number, _): #expect(finished.insert(number).inserted)
                case .showStatus: break
                }
            }
        }
        for step in 0..<60 {
            let open = started.subtracting(finished)
            let number = Bool.random(using: &random) ? open.randomElement(using: &random) ?? 0 : Int.random(in: 0...9)
            let availability: Availability = Bool.random(using: &random) ? .available(fetchedAt: nil) : .unknown
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                let last = begun.max() ?? 0
                begun.insert(last + 1)
                let (new, actions) = machine.refetch(Self.policies.randomElement(using: &random)!, availability)
                #expect(machine.isClosed ? new == 0 : new == last + 1)
                follow(actions)
                #expect(machine.loads[.next] == nil && machine.loads[.previous] == nil)
            case 1, 2:
                let kind: LoadMachine.Kind = Bool.random(using: &random) ? .next : .previous
                let last = begun.max() ?? 0
                begun.insert(last + 1)
                switch machine.page(kind) {
                case .begun(let new, let actions):
                    #expect(new == last + 1 && machine.fetchError == nil)
                    follow(actions)
                case .joined(let known):
                    begun.remove(last + 1)
                    #expect(open.contains(known))
                case .refused:
                    begun.remove(last + 1)
                    #expect(machine.isClosed || machine.loads[.refetch] != nil)
                }
            case 3, 4, 5:
                let content: FetchMachine.Content = Bool.random(using: &random) ? .object : .null
                let errors = Bool.random(using: &random) ? [GraphQLError(message: "e")] : []
                follow(
                    machine.answered(
                        number, content, errors: errors, availability: availability,
                        hasNext: Bool.random(using: &random), isWhole: Bool.random(using: &random)))
            case 6: follow(machine.failed(number, .noResponse, availability: availability))
            case 7: follow(machine.cancel(number))
            default: follow(step == 59 ? machine.close() : machine.cancelAll())
            }
            #expect(Set(machine.loads.values) == started.subtracting(finished))
            if machine.isClosed { begun = started }
        }
        follow(machine.close())
        #expect(started.isSubset(of: finished) && machine.loads.isEmpty)
        #expect(machine.refetch(.networkOnly, .unknown).actions == [] && machine.page(.next) == .refused)
    }

    @Test func aRefetchIsShownOnceItIsWhole() {
        var machine = LoadMachine()
        let (number, actions) = machine.refetch(.networkOnly, .unknown)
        #expect(actions == [.start(number), .showStatus])
        func answer(hasNext: Bool, isWhole: Bool) -> [LoadMachine.Action] {
            machine.answered(
                number, .object, errors: [], availability: .available(fetchedAt: nil), hasNext: hasNext,
                isWhole: isWhole)
        }
        #expect(answer(hasNext: true, isWhole: false) == [.showStatus])
        #expect(answer(hasNext: true, isWhole: true) == [.adopt(number), .showStatus])
        #expect(answer(hasNext: false, isWhole: true) == [.finish(number, nil), .showStatus])
        #expect(answer(hasNext: false, isWhole: true) == [])
    }
}
