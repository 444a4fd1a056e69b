import Baton
import Testing

@testable import BatonHTTP

@Suite struct TimeLimitTests {
    /// The calls that a limit makes, by the numbers of the waits.
    private final class Calls: Sendable {
        private let numbers = Guarded<[Int]>([])
        var all: [Int] { numbers.withLock(\.self) }
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    @Test func eachWaitIsCalledAtItsTimeAndOneTaskSleeps() async {
        let (clock, calls) = (StepClock(), Calls())
        let limit = TimeLimit(.seconds(10), on: clock)
        for number in 0..<5 {
            _ = limit.begin {
                calls.add(number)
                return false
            }
            await clock.sleeping(1)
            clock.advance(by: .seconds(1))
        }
        #expect(clock.sleepers == 1 && calls.all.isEmpty)
        for number in 0..<5 {
            await until { clock.sleepers == 1 && clock.nextPause.map { $0 <= .seconds(5) } == true }
            clock.advance(by: clock.nextPause ?? .zero)
            await until { calls.all.count > number }
            #expect(calls.all == Array(0...number))
        }
        await until { clock.sleepers == 0 }
        #expect(clock.now.offset == .seconds(14))
    }

    @Test func aWaitBeginsAgainAsLongAsItIsAskedTo() async {
        let (clock, calls) = (StepClock(), Calls())
        let limit = TimeLimit(.seconds(10), on: clock)
        let wait = limit.begin {
            calls.add(0)
            return calls.all.count < 3
        }
        for count in 1...3 {
            await clock.advance(by: .seconds(10), afterSleepers: 1)
            await until { calls.all.count >= count }
            #expect(calls.all.count == count)
        }
        await until { clock.sleepers == 0 }
        limit.end(wait)
        #expect(calls.all.count == 3)
    }

    @Test func aWaitThatHasEndedIsNotCalled() async {
        let (clock, calls) = (StepClock(), Calls())
        let limit = TimeLimit(.seconds(10), on: clock)
        let waits = (0..<3).map { number in
            limit.begin {
                calls.add(number)
                return false
            }
        }
        limit.end(waits[1])
        limit.end(waits[1])
        await clock.advance(by: .seconds(10), afterSleepers: 1)
        await until { clock.sleepers == 0 && calls.all.count >= 2 }
        #expect(calls.all == [0, 2])
        // A wait after a time without waits has a task again.
        _ = limit.begin {
            calls.add(3)
            return false
        }
        await clock.advance(by: .seconds(10), afterSleepers: 1)
        await until { calls.all.count >= 3 }
        #expect(calls.all == [0, 2, 3])
    }

    @Test func theSleepEndsWithTheLimit() async {
        let clock = StepClock()
        var limit: TimeLimit? = TimeLimit(.seconds(10), on: clock)
        _ = limit?.begin { false }
        await clock.sleeping(1)
        limit = nil
        await until { clock.sleepers == 0 }
        #expect(clock.sleepers == 0)
    }
}

private final class Waiting: TimeLimited {
    private let call: @Sendable () -> Bool

    init(_ call: @escaping @Sendable () -> Bool) { self.call = call }

    func timeIsOver(of limit: TimeLimit) -> Bool { call() }
}

extension TimeLimit {
    fileprivate func begin(_ call: @escaping @Sendable () -> Bool) -> Wait { begin(Waiting(call)) }
}
