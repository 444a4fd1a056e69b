import Dispatch
import Testing

@testable import Baton

/// What the shell of a machine guarantees, whatever the threads.
@Suite struct ShellTests {
    /// Numbers events in their order.
    private struct Counter: Machine {
        enum Event: Sendable {
            case came(from: Int)
            case asked
            case answered(Int)
            case followed
        }

        enum InLock { case follow }
        enum Caller { case ask(Int) }
        enum Queued { case perform(step: Int, from: Int) }

        private(set) var steps = 0
        private(set) var followed = 0
        private(set) var answers: [Int] = []

        mutating func handle(_ event: consuming Event) -> Effects {
            switch event {
            case .came(let source):
                steps += 1
                return [.inLock(.follow), .queue(.perform(step: steps, from: source))]
            case .asked:
                steps += 1
                return [.caller(.ask(steps)), .queue(.perform(step: steps, from: -1))]
            case .answered(let step):
                answers.append(step)
                return []
            case .followed:
                followed += 1
                return []
            }
        }
    }

    private final class Owner: MachineOwner {
        typealias Decisions = Counter

        struct Notes {
            var performed: [Int] = []
            var atWork = 0
            var overlaps = 0
            var nested = 0
        }

        let shell = Shell(Counter())
        let notes = Guarded(Notes())
        /// Every so many effects one more event is sent by the effect itself.
        let nesting: Int

        init(nesting: Int = .max) { self.nesting = nesting }

        func send(_ event: Counter.Event) { shell.send(event, for: self) }

        func performInLock(_ effect: Counter.InLock) -> Counter.Event? { .followed }

        func answer(_ effect: Counter.Caller) -> Counter.Event? {
            switch effect {
            case .ask(let step): .answered(step)
            }
        }

        func perform(_ effect: Counter.Queued) {
            let step: Int
            let source: Int
            switch effect {
            case .perform(let number, let from): (step, source) = (number, from)
            }
            let isNested = notes.withLock { notes in
                notes.atWork += 1
                if notes.atWork > 1 { notes.overlaps += 1 }
                notes.performed.append(step)
                if source != -2, step % nesting == 0 { notes.nested += 1 } else { return false }
                return true
            }
            if isNested { send(.came(from: -2)) }
            notes.withLock { $0.atWork -= 1 }
        }
    }

    @Test func effectsOfManyThreadsAreDoneInTheOrderOfTheSteps() {
        for round in 0..<40 {
            let owner = Owner(nesting: round % 2 == 0 ? 7 : .max)
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for number in 0..<50 { owner.send(number % 5 == 0 ? .asked : .came(from: thread)) }
            }
            // The thread that is at work may be another one than the last.
            let notes = owner.notes.withLock { $0 }
            let (steps, followed, answers) = owner.shell.look { ($0.steps, $0.followed, $0.answers) }
            #expect(notes.performed == Array(1...steps) && notes.overlaps == 0 && notes.atWork == 0)
            #expect(steps == 400 + notes.nested && answers.count == 80 && followed == steps - 80)
        }
    }

    @Test func anEffectThatSendsAnEventIsFollowedByItsEffects() {
        let owner = Owner(nesting: 1)
        owner.send(.came(from: 0))
        #expect(owner.notes.withLock { $0.performed } == [1, 2])
        #expect(owner.notes.withLock { $0.overlaps } == 0)
    }

    @Test func aQuestionIsAnsweredBeforeTheCallEndsAlsoWhileAnotherThreadWorks() {
        let owner = BusyOwner()
        owner.send(.came(from: 0))
        #expect(owner.answersWhileBusy.withLock { $0 } == [2])
        #expect(owner.shell.look { $0.steps } == 2)
    }

    /// While it performs its first effect, another thread asks.
    private final class BusyOwner: MachineOwner {
        typealias Decisions = Counter

        let shell = Shell(Counter())
        let answersWhileBusy = Guarded<[Int]>([])

        func send(_ event: Counter.Event) { shell.send(event, for: self) }
        func performInLock(_ effect: Counter.InLock) -> Counter.Event? { nil }

        func answer(_ effect: Counter.Caller) -> Counter.Event? {
            switch effect {
            case .ask(let step): .answered(step)
            }
        }

        func perform(_ effect: Counter.Queued) {
            guard case .perform(1, _) = effect else { return }
            DispatchQueue.concurrentPerform(iterations: 1) { _ in send(.asked) }
            let answers = shell.look { $0.answers }
            answersWhileBusy.withLock { $0 = answers }
        }
    }
}
