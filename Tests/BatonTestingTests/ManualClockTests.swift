import Baton
import BatonTesting
import Synchronization
import Testing

@Suite("ManualClock")
struct ManualClockTests {
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    @Test("time moves only by advance, and never back")
    func timeMovesOnlyByAdvance() {
        let clock = ManualClock()
        #expect(clock.now.offset == .zero)
        clock.advance(by: .seconds(3))
        clock.advance(to: .init(offset: .seconds(1)))
        #expect(clock.now.offset == .seconds(3))
        #expect(clock.now.duration(to: .init(offset: .seconds(5))) == .seconds(2))
    }

    @Test("sleepers wake at their deadline and not before, earliest first, equals in the order of falling asleep")
    func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
        let clock = ManualClock()
        let log = Log()
        await withThrowingTaskGroup(of: Void.self) { group in
            // Each task falls asleep before the next one starts, so that their order is known.
            for (index, seconds) in [3, 1, 2, 1].enumerated() {
                group.addTask { @Sendable in
                    try await clock.sleep(for: .seconds(seconds))
                    log.add("\(index) after \(seconds)")
                }
                await clock.waitForSleepers(index + 1)
            }
            #expect(clock.nextDeadline?.offset == .seconds(1))
            clock.advance(by: .milliseconds(999))
            #expect(clock.sleepers == 4)
            clock.advance(by: .milliseconds(1))
            #expect(clock.sleepers == 2)
            await group.waitForNext(2)
            #expect(Set(log.all) == ["1 after 1", "3 after 1"])
            clock.advance(by: .seconds(1))
            await group.waitForNext(1)
            #expect(log.all.last == "2 after 2")
            clock.advance(by: .seconds(10))
            await group.waitForNext(1)
            #expect(log.all.last == "0 after 3")
        }
    }

    @Test("a deadline that has passed is no sleep")
    func aPassedDeadlineIsNoSleep() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: .init(offset: .seconds(5)))
        try await clock.sleep(for: .zero)
        #expect(clock.sleepers == 0)
    }

    @Test("a sleep ends when its task is cancelled, before or during it")
    func aSleepEndsWithItsTask() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.sleepers == 0)
        #expect(clock.nextDeadline == nil)
    }

    @Test("cancelling at the moment of waking neither hangs nor wakes twice", arguments: 0..<50)
    func cancellingWhileWakingWakesOnce(_ round: Int) async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { task.cancel() }
            group.addTask { clock.advance(by: .seconds(1)) }
        }
        _ = await task.result
        #expect(clock.sleepers == 0)
    }

    @Test("waiting for sleepers ends when the waiting task is cancelled")
    func waitingForSleepersEndsWithItsTask() async {
        let clock = ManualClock()
        let task = Task { await clock.waitForSleepers(1) }
        task.cancel()
        await task.value
        #expect(clock.sleepers == 0)
    }
}

extension ThrowingTaskGroup where ChildTaskResult == Void {
    fileprivate mutating func waitForNext(_ count: Int) async {
        for _ in 0..<count {
            let result = await nextResult()
            if case .failure(let error)? = result { Issue.record(error) }
        }
    }
}
