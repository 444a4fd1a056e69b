import RandomCases
import Testing

@testable import Baton

/// What holds for refetches and pages after every event, whatever came before.
@Suite struct LoadMachineTests {
    private static let policies = FetchPolicy.allCases
    private static let kinds: [LoadMachine.Kind] = [.refetch, .next, .previous]

    static func numbers(of machine: LoadMachine) -> Set<Int> {
        Set(kinds.compactMap { machine.number(of: $0) })
    }

    @Test(arguments: RandomCases.seeds(200)) func everyLoadBeginsAndEndsOnce(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 1))
        var machine = LoadMachine()
        var begun: Set<Int> = []
        var finished: Set<Int> = []
        var adopted: [Int] = []
        func send(_ event: LoadMachine.Event) {
            for effect in machine.handle(event) {
                switch effect {
                case .start(let number): #expect(begun.contains(number) || number == machine.last)
                case .abandon(let number): #expect(begun.contains(number) && !finished.contains(number))
                case .adopt(let number):
                    #expect(adopted.last.map { $0 < number } ?? true, "a newer refetch is never replaced")
                    adopted.append(number)
                case .finish(let number, _): #expect(finished.insert(number).inserted)
                case .showStatus: break
                }
            }
        }
        for step in 0..<60 {
            let open = begun.subtracting(finished)
            let number =
                Bool.random(using: &random)
                ? open.randomElement(using: &random) ?? 0 : Int.random(in: 0...9, using: &random)
            let availability: Coverage = Bool.random(using: &random) ? .available(fetchedAt: nil) : .unknown
            let before = machine.last
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                if !machine.isClosed { begun.insert(before + 1) }
                send(.refetched(Self.policies.randomElement(using: &random) ?? .networkOnly, availability))
                #expect(machine.isClosed || machine.last == before + 1)
                #expect(machine.number(of: .next) == nil && machine.number(of: .previous) == nil)
            case 1, 2:
                let kind: LoadMachine.Kind = Bool.random(using: &random) ? .next : .previous
                let mayLoad = machine.mayLoad(kind)
                if mayLoad { begun.insert(before + 1) }
                send(.paged(kind))
                #expect(machine.last == (mayLoad ? before + 1 : before))
                #expect(!mayLoad || machine.number(of: kind) == machine.last && machine.fetchError == nil)
            case 3, 4, 5:
                let content: PolicyMachine.Content = Bool.random(using: &random) ? .object : .null
                let errors = Bool.random(using: &random) ? [] : [GraphQLError(message: "e")]
                send(
                    .landed(
                        number, content, errors: errors, availability, hasNext: Bool.random(using: &random),
                        isWhole: Bool.random(using: &random)))
            case 6: send(.failed(number, .noResponse, availability))
            case 7: send(.cancelled(number))
            case 8:
                send(.givenUp)
                #expect(machine.isClosed || machine.isGivenUp && machine.fetchError == nil)
            default: send(step == 59 ? .closed : .left)
            }
            #expect(Self.numbers(of: machine) == begun.subtracting(finished))
        }
        send(.closed)
        #expect(begun == finished && machine.isIdle && machine.isClosed)
        send(.refetched(.networkOnly, .unknown))
        send(.paged(.next))
        #expect(begun == finished && machine.isIdle)
    }

    @Test func aRefetchIsShownOnceItIsWhole() {
        var machine = LoadMachine()
        #expect(machine.handle(.refetched(.networkOnly, .unknown)) == [.start(1), .showStatus])
        func land(hasNext: Bool, isWhole: Bool) -> [LoadMachine.Effect] {
            machine.handle(
                .landed(1, .object, errors: [], .available(fetchedAt: nil), hasNext: hasNext, isWhole: isWhole))
        }
        #expect(land(hasNext: true, isWhole: false) == [.showStatus])
        #expect(land(hasNext: true, isWhole: true) == [.adopt(1), .showStatus])
        #expect(land(hasNext: false, isWhole: true) == [.finish(1, nil), .showStatus])
        #expect(land(hasNext: false, isWhole: true) == [])
    }
}
